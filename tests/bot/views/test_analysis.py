"""Hints, reviews and retries: what they show is what the engine proves."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from discord import ButtonStyle

from bot.domain.analysis import (
    Headers,
    Hint,
    HintPage,
    Retry,
    RetryPage,
    Review,
    ReviewPage,
    ReviewView,
)
from bot.domain.match_actions import MatchAction, Press
from bot.domain.tutorial import TutorialPage
from bot.views.analysis import review_view
from bot.views.hints import hint_view
from bot.views.i18n import Language
from bot.views.mistakes import retry_view
from engine import (
    MISERE,
    Board,
    Cell,
    Mark,
    Record,
    Rules,
    Value,
    accuracy,
    advise,
    best_reply,
)
from tests.bot.example_matches import make_bot_match
from tests.bot.views.examples import (
    BUSY,
    COLOURS,
    EN,
    MARKS,
    MISSED_FORK,
    MISTAKEN,
    STYLES,
    WORDS,
    X_IS_LOST,
    advice_on,
    buttons,
    components_of,
    controls,
    coordinates,
    games,
    is_inert,
    judged,
    languages,
    outlook,
    retries,
    solver_of,
    squares,
    targets,
    text_of,
    unfinished,
    verdicts_on,
    worths_on,
)

# Hint


@languages
@pytest.mark.parametrize(
    "record",
    [BUSY, X_IS_LOST, Record(), Record(Rules(4, 4, 3), (5,)), Record(Rules(5, 5, 4), (12, 6))],
)
def test_a_hint_shows_what_every_free_cell_is_worth(record: Record, language: Language) -> None:
    board = record.boards[-1]
    worths = worths_on(board)
    chosen = board.actions()[-1]
    view = hint_view(Hint(HintPage(record, chosen), advise(board)), language)
    for cell, square in squares(view, board.rules).items():
        if worth := worths.get(cell):
            assert square.label == board.rules.coordinate(cell)
            is_advised = cell == advice_on(board)[0].action
            assert square.style is (ButtonStyle.primary if is_advised else STYLES[worth.value])
            assert targets([square]) == [HintPage(record, cell)]
        else:
            assert str(square.emoji) == MARKS[board[cell]]
            assert is_inert(square)
    assert controls(view, board.rules) == []
    differ = len({worth.value for worth in worths.values()}) > 1
    for value, colour in COLOURS.items():
        lines = [line for line in text_of(view).splitlines() if line.startswith(colour)]
        fitting = [cell for cell, worth in worths.items() if worth.value is value]
        assert len(lines) == (differ and bool(fitting))
        for line in lines:
            named = [board.rules.coordinate(cell) for cell in fitting]
            are_most = len(fitting) > max(4, len(worths) / 2)
            assert coordinates(line) == ([] if are_most else named)
            assert line.startswith(f"{colour} {WORDS[language][value]}: ")


def test_a_hint_lists_no_cells_where_its_sentence_says_that_all_others_lose() -> None:
    record = Record(moves=(0,))
    board = record.boards[-1]
    text = text_of(hint_view(Hint(HintPage(record, 4), advise(board)), EN))
    assert "🟦 **B2** holds the draw: every other move loses." in text
    assert not any(colour in text for colour in COLOURS.values())


def test_the_cells_of_a_hint_tell_more_and_the_best_one_is_played() -> None:
    match = make_bot_match("x.. .o. ..x")
    advised, other = (verdict.action for verdict in advice_on(match.board)[:2])
    for asked, played in ((None, []), (advised, []), (other, [other])):
        page = HintPage(match.record, asked)
        view = hint_view(Hint(page, advice_on(match.board), match=match), EN)
        for cell in match.board.actions():
            action = MatchAction.PLAY if cell == advised else MatchAction.HINT
            address = Press(match.id, match.version, action, cell)
            assert squares(view, match.rules)[cell].custom_id == str(address)
        plays = controls(view, match.rules)
        addresses = [Press(match.id, match.version, MatchAction.PLAY, cell) for cell in played]
        assert [Press.parse(play.custom_id or "") for play in plays] == addresses
        names = [match.rules.coordinate(cell) for cell in played]
        assert [play.label for play in plays] == [f"Play {name}" for name in names]
        styles = [squares(view, match.rules)[cell].style for cell in played]
        assert [play.style for play in plays] == styles


@languages
@pytest.mark.parametrize("game", games())
def test_a_hint_is_two_lines_a_note_and_one_lit_cell(game: Record, language: Language) -> None:
    for record in unfinished(game):
        match = make_bot_match(rules=game.rules, moves=record.moves)
        advice = advice_on(match.board)
        hint = Hint(HintPage(record), advice, match=match, is_detailed=False)
        view = hint_view(hint, language)
        *lines, note = text_of(view).splitlines()
        assert 1 <= len(lines) <= 2
        assert note.startswith("-# ")
        assert coordinates(text_of(view))[0] == match.rules.coordinate(advice[0].action)
        lit = [
            cell
            for cell, square in squares(view, match.rules).items()
            if square.style is not ButtonStyle.secondary
        ]
        assert lit == [advice[0].action]
        best = squares(view, match.rules)[advice[0].action]
        play = Press(match.id, match.version, MatchAction.PLAY, advice[0].action)
        assert best.custom_id == str(play)
        (why,) = controls(view, match.rules)
        assert Press.parse(why.custom_id or "") == Press(match.id, match.version, MatchAction.WHY)


@pytest.mark.parametrize("game", games())
def test_a_hint_recommends_one_of_the_best_moves(game: Record) -> None:
    for record in unfinished(game):
        board = record.boards[-1]
        worths = worths_on(board)
        best = max(worth.rank for worth in worths.values())
        view = hint_view(Hint(HintPage(record), advice_on(board)), EN)
        (line,) = re.findall("🟦 .*", text_of(view))
        shown = squares(view, board.rules)
        (blue,) = (cell for cell, one in shown.items() if one.style is ButtonStyle.primary)
        assert worths[blue].rank == best
        assert re.findall(r"\*\*(\w\d)\*\*", line) == [board.rules.coordinate(blue)]
        after = board.result(blue)
        if after.is_terminal and after.winner:
            assert line.endswith(("completes a line and wins.", outlook(board)))
        elif "holds the draw" in line or "no line can be completed" in line:
            assert worths[blue].value is Value.DRAW
        else:
            assert line.endswith((outlook(after), outlook(board)))


@pytest.mark.parametrize("record", [BUSY, Record(), Record(Rules(4, 4, 3), (5,))])
def test_a_hint_tells_more_of_the_cell_that_was_pressed(record: Record) -> None:
    board = record.boards[-1]
    for cell in board.actions():
        reply = best_reply(board, cell)
        view = hint_view(Hint(HintPage(record, cell), advice_on(board), reply), EN)
        lines = re.findall("🔎 .*", text_of(view))
        after = board.result(cell)
        value, mover = worths_on(board)[cell].value, board.to_move
        assert after.is_terminal or utility(after) == utility_of(value, mover)
        is_advised = cell == advice_on(board)[0].action
        name = "" if is_advised else f"**{board.rules.coordinate(cell)}** "
        if reply is None:
            assert lines == ([] if is_advised else [f"🔎 {name}completes a line and wins."])
            continue
        assert lines[0].startswith(f"🔎 {name}")
        answer = f"{MARKS[mover.other]} can answer: **{board.rules.coordinate(reply.action)}**"
        assert answer in lines[0]
        endings = "a line and wins.", "every other move loses.", "can be completed any more."
        assert lines[0].endswith((outlook(after.result(reply.action)), *endings))


def utility_of(value: Value, mover: Mark) -> int:
    return value if mover is Mark.X else -value


# Review


def decided_after(record: Record) -> int:
    """After how many plies what best play leads to changed for the last time; else the end."""
    values = [utility(board) for board in record.boards]
    changes = [ply for ply, (one, next_) in enumerate(pairwise(values), 1) if one != next_]
    return changes[-1] if changes else len(record.moves)


@cache
def utility(board: Board) -> int:
    if board.is_terminal:
        return board.utility
    return utility_of(solver_of(board.rules).worth(board).value, board.to_move)


def leads_into_lesson(game: Record, ply: int) -> bool:
    """Whether the move at a ply lost the match: the last that changed the result, to a loss."""
    if ply == 0 or ply != decided_after(game) or game.boards[ply].is_terminal or game.rules.repeats:
        return False
    verdict = verdicts_on(game)[ply - 1]
    return verdict.is_blunder and verdict.worth.value is Value.LOSS


@pytest.mark.parametrize("game", games())
def test_a_review_is_stepped_through_back_and_on(game: Record) -> None:
    last = len(game.moves)
    for ply in range(last + 1):
        view = review_view(Review(ReviewPage(game, ply), judged(game)), EN)
        has_retry = bool(judged(game).retry_plies)
        below = controls(view, game.rules)
        assert [button.label for button in below] == [
            *(["Try again"] if has_retry else []),
            *(["See what the bot saw"] if leads_into_lesson(game, ply) else []),
            *("←", "→", "Play", "More"),
        ]
        *_, back, on, _play, more = targets(below)
        assert back == (ReviewPage(game, ply - 1) if ply else None)
        assert on == (ReviewPage(game, ply + 1) if ply < last else None)
        assert more == ReviewPage(game, ply, view=ReviewView.MORE)
        marks = [str(square.emoji) for square in squares(view, game.rules).values()]
        expected = [MARKS[game.boards[ply][cell]] for cell in game.rules.cells]
        assert [mark.replace("💡", "None") for mark in marks] == expected
        board = game.boards[ply]
        made = {cell: ReviewPage(game, ply) for ply, cell in enumerate(game.moves[:ply], 1)}
        for cell, square in squares(view, game.rules).items():
            if str(square.emoji) != "💡":
                leads = board[cell] and cell != board.vanishing
                assert targets([square]) == [made[cell] if leads else None]


@pytest.mark.parametrize("side", [Mark.X, Mark.O, None])
def test_of_two_players_only_the_one_who_lost_is_led_into_the_lesson(side: Mark | None) -> None:
    game = replace(judged(MISSED_FORK), side=side)
    view = review_view(Review(ReviewPage(MISSED_FORK), game), EN)
    labels = [button.label for button in controls(view, MISSED_FORK.rules)]
    assert ("See what the bot saw" in labels) is (side is not Mark.X)


def test_a_review_with_all_its_buttons_fits_on_the_largest_board() -> None:
    rematch = Press(2**63 - 1, 10**9 - 1, MatchAction.REMATCH)
    game = replace(judged(MISTAKEN), side=Mark.X, rematch=rematch)
    for ply in range(len(MISTAKEN.moves) + 1):
        view = review_view(Review(ReviewPage(2**63 - 1, ply), game), EN)
        labels = [button.label for button in controls(view, MISTAKEN.rules)]
        is_own = ply > 0 and verdicts_on(MISTAKEN)[ply - 1].mark is game.side
        lesson = ["See what the bot saw"] if is_own and leads_into_lesson(MISTAKEN, ply) else []
        assert labels == ["Try again", *lesson, "←", "→", "Rematch", "More"]
        assert view.total_children_count <= 40
        for button in buttons(view):
            assert len(button.custom_id or "") <= 100


@pytest.mark.parametrize("game", games())
def test_a_review_opens_at_the_turning_point(game: Record) -> None:
    opened = review_view(Review(ReviewPage(game), judged(game)), EN)
    there = review_view(Review(ReviewPage(game, decided_after(game)), judged(game)), EN)
    assert components_of(opened) == components_of(there)


@pytest.mark.parametrize("game", games())
def test_better_moves_than_a_mistake_are_marked_and_named(game: Record) -> None:
    name = game.rules.coordinate
    for ply, (before, action) in enumerate(zip(game.boards, game.moves, strict=False), 1):
        view = review_view(Review(ReviewPage(game, ply), judged(game)), EN)
        board = squares(view, game.rules)
        worths = worths_on(before)
        best = max(worths.values(), key=lambda worth: worth.rank)
        is_mistake = worths[action].value is not best.value
        could_win = before.winning_cells(before.to_move) != () and worths[action].rank != best.rank
        best_cells = [cell for cell, worth in worths.items() if worth.rank == best.rank]
        better = best_cells if is_mistake or could_win else []
        assert [cell for cell, square in board.items() if str(square.emoji) == "💡"] == better
        outcome = game.boards[ply].outcome()
        coloured = {c: s.style for c, s in board.items() if s.style is not ButtonStyle.secondary}
        has_won = outcome is not None and outcome.winner is before.to_move
        style = ButtonStyle.success if has_won else ButtonStyle.danger
        won = dict.fromkeys(outcome.line if outcome else (), style)
        assert coloured == {action: ButtonStyle.primary} | won
        mover = MARKS[before.to_move]
        heading = text_of(view).splitlines()[0]
        is_last_of_few = ply == len(game.moves) and judged(game).key_ply is None
        if not is_mistake and not is_last_of_few:
            assert heading == f"**Move {ply} of {len(game.moves)}: {mover} {name(action)}**"
        more = ReviewPage(game, ply, view=ReviewView.MORE)
        said = text_of(review_view(Review(more, judged(game)), EN))
        assert (f"Move {ply}, {name(action)}: {mover} turned" in said) == is_mistake
        took_longer = could_win and not is_mistake
        assert (f"Move {ply}, {name(action)}: {mover} took the long way." in said) == took_longer
        if better:
            ending = (
                "won right away"
                if could_win
                else "won"
                if best.value is Value.WIN
                else "held the draw"
            )
            shown = rf"^Move {ply}, .*💡 (.*) would have {ending}\.$"
            (line,) = re.findall(shown, said, re.MULTILINE)
            assert coordinates(line) == [name(cell) for cell in better]
        if is_mistake:
            assert heading.startswith(f"**Move {ply}, {mover} {name(action)}: ")
            assert heading.endswith(f" would have {ending}.**")
            assert coordinates(heading)[1:] == [name(cell) for cell in better[:4]]
            assert (", for example, would have" in heading) == (len(better) > 4)


@pytest.mark.parametrize("game", [game for game in games() if 0 < len(game.moves) < 25])
def test_each_step_says_what_best_play_leads_to(game: Record) -> None:
    for ply, board in enumerate(game.boards[1:], 1):
        said = text_of(review_view(Review(ReviewPage(game, ply), judged(game)), EN))
        sentences = re.findall(r"With best play from here, [^.]*\.", said)
        has_draw_in_reason = "holds the draw" in said or "no line can be completed" in said
        assert sentences == ([] if board.is_terminal or has_draw_in_reason else [outlook(board)])


def accuracies_in(game: Record, language: Language) -> list[str]:
    more = ReviewPage(game, view=ReviewView.MORE)
    said = text_of(review_view(Review(more, judged(game)), language))
    return re.findall("^.*(?:accuracy|precisão).*$", said, re.MULTILINE)


@languages
def test_the_accuracies_of_both_are_shown_or_none(language: Language) -> None:
    seen = set()
    for game in games():
        totals = [accuracy(verdicts_on(game), mark) for mark in Mark]
        are_telling = all(kept and critical >= 4 for kept, critical in totals)
        assert len(accuracies_in(game, language)) == (2 if are_telling else 0)
        seen.add(are_telling)
    assert seen == {True, False}


def test_an_only_move_is_named_as_such() -> None:
    for game in games():
        for ply, (before, action) in enumerate(zip(game.boards, game.moves, strict=False), 1):
            worths = worths_on(before)
            best = max(worth.value for worth in worths.values())
            keeping = [cell for cell, worth in worths.items() if worth.value is best]
            said = text_of(review_view(Review(ReviewPage(game, ply), judged(game)), EN))
            is_only = keeping == [action] and len(worths) > 1
            told = "That was the only good move." in said or "every other move loses." in said
            assert told == is_only


# Try again


@pytest.mark.parametrize("game", games())
def test_a_review_leads_to_the_first_mistake_and_its_better_moves_to_a_retry(game: Record) -> None:
    headers = Headers(1, 2)
    for ply, made in enumerate(verdicts_on(game), 1):
        view = review_view(Review(ReviewPage(game, ply, headers), judged(game)), EN)
        first = [RetryPage(game, ply, headers=headers) for ply in judged(game).retry_plies[:1]]
        offered = [button for button in controls(view, game.rules) if button.label == "Try again"]
        assert targets(offered) == first
        again = RetryPage(game, ply, headers=headers)
        for cell, square in squares(view, game.rules).items():
            if made.is_blunder and str(square.emoji) == "💡":
                assert targets([square]) == [replace(again, cell=cell)]


@pytest.mark.parametrize("game", games())
def test_the_move_that_lost_leads_into_the_lesson_on_that_position(game: Record) -> None:
    for ply in range(1, len(game.moves) + 1):
        view = review_view(Review(ReviewPage(game, ply), judged(game)), EN)
        lessons = [page for page in targets(buttons(view)) if isinstance(page, TutorialPage)]
        lesson = TutorialPage(Record(game.rules, game.moves[:ply]))
        assert lessons == [lesson] * leads_into_lesson(game, ply)


def test_some_games_are_lost_by_a_move_that_leads_into_the_lesson() -> None:
    led = [game.rules for game in games() for ply in range(1, 26) if lost_at(game, ply)]
    assert {len(rules.cells) for rules in led} >= {9, 25}


def lost_at(game: Record, ply: int) -> bool:
    return ply <= len(game.moves) and leads_into_lesson(game, ply)


@pytest.mark.parametrize("game", games())
def test_a_retry_shows_the_board_before_the_mistake(game: Record) -> None:
    for page, tried in retries(game):
        ply, before, made = page.ply, game.boards[page.ply - 1], game.moves[page.ply - 1]
        view = retry_view(Retry(page, judged(game), tried), EN)
        led: dict[Cell, RetryPage | ReviewPage] = {
            cell: RetryPage(game, ply, cell) for cell in before.actions()
        }
        for number, cell in enumerate(game.moves[:ply], 1):
            if before[cell] or number == ply:
                led[cell] = ReviewPage(game, number)
        board = squares(view, game.rules)
        shown = {cell: str(square.emoji) for cell, square in board.items()}
        expected = {cell: MARKS[before[cell]] for cell in game.rules.cells} | {made: "💥"}
        if tried is not None:
            expected[tried.action] = "🎯" if tried.kept_value else "💥"
        assert shown == expected
        expected_targets = [None if c == before.vanishing else led[c] for c in game.rules.cells]
        assert targets(list(board.values())) == expected_targets


@pytest.mark.parametrize("game", games())
def test_the_solver_decides_whether_a_retry_is_right(game: Record) -> None:
    for page, tried in retries(game):
        if tried is None:
            continue
        before = game.boards[page.ply - 1]
        best = max(worth.value for worth in worths_on(before).values())
        is_right = worths_on(before)[tried.action].value is best
        said = text_of(retry_view(Retry(page, judged(game), tried), EN))
        name = game.rules.coordinate(tried.action)
        assert (f"🎯 **{name}** " in said) == (is_right and not tried.missed_wins)
        wrong = (
            f"💥 **{name}** · With best play from here, ",
            f"💥 **{name}** completes a line: here, that loses.",
        )
        assert any(words in said for words in wrong) == (not is_right)
        assert ("'s turn: which move is better?" in said) == (not is_right)


def test_a_win_that_takes_longer_than_another_is_right_too() -> None:
    game = Record(moves=(0, 1, 2, 4, 6, 5))  # O, who could complete a line, let X have one
    slower = next(v for v in advice_on(game.boards[5]) if v.action == 3)
    said = text_of(retry_view(Retry(RetryPage(game, 6, 3), judged(game), slower), EN))
    ends = outlook(game.boards[5].result(3))
    assert said.endswith(f"🎯 {ends} B3 would have won right away.")


@languages
def test_a_retry_leads_on_to_the_next_mistake_and_back_to_the_review(language: Language) -> None:
    headers = Headers(1, 2)
    plies = judged(MISTAKEN).retry_plies
    for ply, next_ in zip(plies, [*plies[1:], None], strict=True):
        page = RetryPage(MISTAKEN, ply, headers=headers)
        view = retry_view(Retry(page, judged(MISTAKEN)), language)
        assert targets(controls(view, MISTAKEN.rules)) == [
            *([RetryPage(MISTAKEN, next_, headers=headers)] if next_ else []),
            ReviewPage(MISTAKEN, ply, headers),
        ]


# A line that lost


@pytest.mark.parametrize(
    ("moves", "better"),
    [
        ((0, 1, 4, 2, 8), "C2, A3 or B3 would have held out longer."),
        ((0, 1, 3, 4, 6), "C1, C2 or C3 would have held the draw."),
        ((0, 2, 3, 8, 6), "B1 would have won."),
    ],
)
def test_a_line_that_lost_is_listed_in_the_order_of_play(
    moves: tuple[Cell, ...], better: str
) -> None:
    game = Record(MISERE, moves)
    more = ReviewPage(game, view=ReviewView.MORE)
    listed = text_of(review_view(Review(more, judged(game)), EN))
    first, *_, lost = [line for line in listed.splitlines() if line.startswith("Move ")]
    name = game.rules.coordinate(moves[-1])
    assert lost.startswith(f"Move 5, {name}: ❌ completed a line")
    assert lost.endswith(better)
    assert first.startswith("Move 1, A1: ❌ turned a draw into a loss.")
    last = review_view(Review(ReviewPage(game, len(moves)), judged(game)), EN)
    assert f"**{name}** completes a line" in text_of(last)
    marked = [c for c, square in squares(last, MISERE).items() if str(square.emoji) == "💡"]
    assert coordinates(better) == [game.rules.coordinate(cell) for cell in marked]


def test_a_line_that_had_to_be_completed_is_no_mistake() -> None:
    game = Record(MISERE, (4, 0, 2, 1, 5, 7, 3))
    more = ReviewPage(game, view=ReviewView.MORE)
    said = text_of(review_view(Review(more, judged(game)), EN))
    assert "completed a line" not in said
