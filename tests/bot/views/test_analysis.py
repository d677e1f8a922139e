"""The messages that teach: what they show is what the engine proves, and they fit into Discord."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from discord import ButtonStyle, ui

from bot.client.options import BOARDS
from bot.domain.analysis import Headers, Hint, HintPage, Retry, RetryPage, Review, ReviewPage
from bot.domain.ids import INERT_PREFIX
from bot.domain.match_actions import MatchAction, Press
from bot.domain.puzzles import DailyPuzzle, PuzzlePage, SharePage, is_over
from bot.views.analysis import hint_view, retry_view, review_view
from bot.views.i18n import Language, language_for
from bot.views.puzzles import PuzzleTexts, puzzle_view, share_view
from engine import (
    MISERE,
    TIC_TAC_TOE,
    TRIES,
    Board,
    Cell,
    Grade,
    Level,
    Mark,
    Puzzle,
    Record,
    Rules,
    Value,
    Verdict,
    Worth,
    advise,
    best_reply,
    choose_move,
    daily_puzzle,
    review,
    rules_named,
    turning_point,
)
from engine.solver import new_solver
from tests.bot.drawn import against_velha, parse_page

OWN_MARK = f"<:velha_x:{10**19 - 1}>"
"""What stands for a mark in what is sent: the bot's own emoji, by the longest id."""
EN, PT = language_for("en"), language_for("pt-BR")
WEEK = [date(2026, 7, 1) + timedelta(days=days) for days in range(7)]
LONG_INFINITE = date(2026, 1, 11)
"""Its puzzle is won in seven plies, with which five marks vanish."""
SIGNS = {Value.WIN: "+", Value.DRAW: "=", Value.LOSS: "\N{MINUS SIGN}"}
RAISED = {Value.WIN: "⁺", Value.DRAW: "⁼", Value.LOSS: "⁻"}
COLOURS = {Value.WIN: "🟩", Value.DRAW: "⬜", Value.LOSS: "🟥"}
STYLES = {
    Value.WIN: ButtonStyle.success,
    Value.DRAW: ButtonStyle.secondary,
    Value.LOSS: ButtonStyle.danger,
}
MARKS = {None: "None", Mark.X: "❌", Mark.O: "⭕"}

MISTAKEN = Record.read("H0V892FV3B60V2DD1XJY")
"""All 25 cells of 5x5, and of the 25 moves 23 mistakes: the longest review of a thousand games."""
LONG_WAY = Record(TIC_TAC_TOE, (4, 0, 6, 8, 1, 7, 2))
"""With its fifth move X could win at once, and wins two moves later."""
NOBODY_ERRED = Record(TIC_TAC_TOE, (4, 0, 8, 2, 1, 7, 3, 5, 6))
X_IS_LOST = Record(TIC_TAC_TOE, (0, 2, 1))
BUSY = Record(TIC_TAC_TOE, (0, 4, 8))
ALL_BUT_FULL = Record(TIC_TAC_TOE, (0, 1, 2, 3, 4, 5, 7))

solver_of = cache(new_solver)
WORDS = {
    EN: {Value.WIN: "win", Value.DRAW: "draw", Value.LOSS: "loss"},
    PT: {Value.WIN: "vitória", Value.DRAW: "empate", Value.LOSS: "derrota"},
}
languages = pytest.mark.parametrize("language", [EN, PT])


def childs_game(rules: Rules, seed: int) -> Record:
    rng, board, moves = random.Random(seed), Board(rules), []
    while not board.is_terminal:
        moves.append(choose_move(board, Level.CHILD, rng))
        board = board.result(moves[-1])
    return Record(rules, tuple(moves))


@cache
def games() -> list[Record]:
    """Games of children on every board that is offered, and the longest ones there are."""
    played = [childs_game(rules_named(board.value), seed=1) for board in BOARDS]
    full = childs_game(Rules(5, 5, 5), 0)
    assert len(full.moves) == len(MISTAKEN.moves) == 25
    return [
        *played,
        full,
        MISTAKEN,
        LONG_WAY,
        NOBODY_ERRED,
        Record(),
        Record(Rules(5, 5, 5)),
        Record(moves=(4,)),
    ]


@cache
def verdicts_on(record: Record) -> Sequence[Verdict]:
    return review(record.moves, record.rules)


@cache
def advice_on(board: Board) -> Sequence[Verdict]:
    return advise(board)


@cache
def worths_on(board: Board) -> dict[Cell, Worth]:
    return solver_of(board.rules).analyse(board)


def unfinished(record: Record) -> list[Record]:
    """The first, a middle and the last position in which the game was still going on."""
    last = len(record.moves) - record.boards[-1].is_terminal
    return [Record(record.rules, record.moves[:ply]) for ply in sorted({0, last // 2, last})]


def attempts(puzzle: Puzzle) -> list[tuple[Cell, ...]]:
    """Nothing tried; one, two and three misses; a hit at once, and one with the last try."""
    wrong = [cell for cell in puzzle.worths if cell != puzzle.solution]
    misses = [tuple(wrong[:count]) for count in range(TRIES + 1)]
    return [*misses, (puzzle.solution,), (*wrong[-2:], puzzle.solution)]


def retries(game: Record) -> Iterator[tuple[RetryPage, Verdict | None]]:
    """The mistakes of a game, each with nothing tried, and with every other move."""
    for ply, made in enumerate(verdicts_on(game), 1):
        if made.is_blunder:
            yield RetryPage(game, ply), None
            for tried in advice_on(made.board):
                if tried.action != made.action:
                    yield RetryPage(game, ply, tried.action), tried


@cache
def every_view(language: Language) -> list[ui.LayoutView]:
    return [*_views(language)]


def _views(language: Language) -> Iterator[ui.LayoutView]:
    for game in games():
        verdicts = verdicts_on(game)
        for ply in (None, *range(len(game.moves) + 1)):
            yield review_view(Review(ReviewPage(game, ply), verdicts), language)
        for retry, tried in retries(game):
            yield retry_view(Retry(retry, verdicts, tried), language)
        for record in unfinished(game):
            board = record.boards[-1]
            yield hint_view(Hint(HintPage(record), advice_on(board)), language)
            yield hint_view(Hint(HintPage(record, board.actions()[-1]), advice_on(board)), language)
            match = against_velha(
                rules=game.rules, moves=record.moves, id=2**63 - 1, version=10**9 - 1
            )
            yield hint_view(Hint(HintPage(record, None, match), advice_on(board)), language)
            yield hint_view(
                Hint(HintPage(record, board.actions()[-1], match), advice_on(board)), language
            )
    for day in WEEK:
        for cells in attempts(daily_puzzle(day)):
            yield puzzle_view(DailyPuzzle(PuzzlePage(day, cells), daily_puzzle(day)), language)
        for ply, (_, step) in enumerate(solution_of(daily_puzzle(day))):
            page = PuzzlePage(day, (daily_puzzle(day).solution,), ply)
            yield puzzle_view(DailyPuzzle(page, daily_puzzle(day), step=step), language)
    yield share_view(SharePage(WEEK[0], Grade.HARD, TRIES), 10**19 - 1, language)


def buttons(view: ui.LayoutView) -> list[ui.Button[Any]]:
    return [item for item in view.walk_children() if isinstance(item, ui.Button)]


def squares(view: ui.LayoutView, rules: Rules) -> dict[Cell, ui.Button[Any]]:
    return dict(zip(rules.cells, buttons(view), strict=False))


def controls(view: ui.LayoutView, rules: Rules) -> list[ui.Button[Any]]:
    return buttons(view)[len(rules.cells) :]


def text_of(view: ui.LayoutView) -> str:
    language = (item.content for item in view.walk_children() if isinstance(item, ui.TextDisplay))
    return "\n".join(language)


def drawn(view: ui.LayoutView) -> list[dict[str, Any]]:
    return [item.to_component_dict() for item in view.children]


def coordinates(text: str) -> list[str]:
    return re.findall(r"\b[A-E][1-5]\b", text)


def targets(controls: list[ui.Button[Any]]) -> list[Any]:
    """Where each button leads; None where it is disabled, or only to look at."""
    return [None if b.disabled else parse_page(b.custom_id or "") for b in controls]


def is_still(button: ui.Button[Any]) -> bool:
    """Whether it is only to look at, and not dimmed."""
    return (button.custom_id or "").startswith(INERT_PREFIX) and not button.disabled


# Every message


@languages
def test_every_view_fits_into_a_message_of_discord(language: Language) -> None:
    for view in every_view(language):
        assert view.total_children_count <= 40
        assert 0 < len(re.sub("[❌⭕]", OWN_MARK, text_of(view))) <= 4000
        rows = [item for item in view.walk_children() if isinstance(item, ui.ActionRow)]
        assert all(1 <= len(row.children) <= 5 for row in rows)
        ids = [button.custom_id or "" for button in buttons(view)]
        assert len(set(ids)) == len(ids)
        assert all(1 <= len(custom_id) <= 100 for custom_id in ids)
        assert all(button.emoji or button.label for button in buttons(view))
        assert all(len(button.label or "") <= 80 for button in buttons(view))


def test_every_button_that_can_be_pressed_leads_somewhere_or_is_to_look_at() -> None:
    views = [view for language in (EN, PT) for view in every_view(language)]
    shown = (one for view in views for one in buttons(view))
    for address in {one.custom_id or "" for one in shown if not (one.disabled or is_still(one))}:
        assert parse_page(address) or Press.parse(address), address


@languages
def test_nothing_is_left_to_fill_in_and_nobody_is_told_none(language: Language) -> None:
    for view in every_view(language):
        assert not re.search(r"[{}]|\bNone\b", text_of(view))


def test_every_board_shows_its_marks_and_names_its_free_cells() -> None:
    for game in games():
        record = unfinished(game)[-1]
        view = review_view(Review(ReviewPage(record, 0), verdicts_on(record)), EN)
        for cell, square in squares(view, game.rules).items():
            assert square.label == game.rules.coordinate(cell)
            assert is_still(square)
        board = record.boards[-1]
        for cell, square in squares(
            hint_view(Hint(HintPage(record), advice_on(board)), EN), game.rules
        ).items():
            assert str(square.emoji) == MARKS[board[cell]]
            assert square.disabled == (cell == board.vanishing)
            assert square.disabled or is_still(square) == (board[cell] is not None)


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
            signs = RAISED if board.rules.columns == 5 else SIGNS
            assert square.label == f"{board.rules.coordinate(cell)}{signs[worth.value]}"
            is_advised = cell == advice_on(board)[0].action
            assert square.style is (ButtonStyle.primary if is_advised else STYLES[worth.value])
            assert targets([square]) == [HintPage(record, cell)]
        else:
            assert str(square.emoji) == MARKS[board[cell]]
            assert is_still(square)
    assert controls(view, board.rules) == []
    for value, colour in COLOURS.items():
        lines = [line for line in text_of(view).splitlines() if line.startswith(colour)]
        fitting = [cell for cell, worth in worths.items() if worth.value is value]
        assert len(lines) == bool(fitting)
        for line in lines:
            named = [board.rules.coordinate(cell) for cell in fitting]
            are_most = len(fitting) > max(4, len(worths) / 2) or len(fitting) == len(worths)
            assert coordinates(line) == ([] if are_most else named)
            assert line.startswith(f"{colour} `{SIGNS[value]}` {WORDS[language][value]}: ")


def test_a_hint_of_a_match_asks_the_match_and_plays_the_advice_or_what_was_asked_about() -> None:
    match = against_velha("x.. .o. ..x")
    advised, other = (verdict.action for verdict in advice_on(match.board)[:2])
    for asked, played in ((None, [advised]), (advised, [advised]), (other, [advised, other])):
        page = HintPage(match.record, asked, match)
        view = hint_view(Hint(page, advice_on(match.board)), EN)
        for cell in match.board.actions():
            address = Press(match.id, match.version, MatchAction.HINT, cell)
            assert squares(view, match.rules)[cell].custom_id == str(address)
        plays = controls(view, match.rules)
        addresses = [Press(match.id, match.version, MatchAction.PLAY, cell) for cell in played]
        assert [Press.parse(play.custom_id or "") for play in plays] == addresses
        names = [match.rules.coordinate(cell) for cell in played]
        assert [play.label for play in plays] == [f"Play {name}" for name in names]
        styles = [squares(view, match.rules)[cell].style for cell in played]
        assert [play.style for play in plays] == styles


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
        elif "holds the draw" in line:
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
        said = outlook(after.result(reply.action)), "a line and wins.", "every other move loses."
        assert lines[0].endswith(said)


def utility_of(value: Value, mover: Mark) -> int:
    return value if mover is Mark.X else -value


def outlook(board: Board) -> str:
    """What best play leads to, by the solver's own line of it."""
    solution = solver_of(board.rules).solve(board)
    line = solution.principal_variation
    if solution.distance_plies is None:
        return "With best play, nobody wins."
    if solution.value is Value.DRAW:
        return "With best play, it's a draw."
    winner = board.to_move if solution.value is Value.WIN else board.to_move.other
    movers = ([board.to_move, board.to_move.other] * len(line))[: len(line)]
    moves = movers.count(movers[-1])
    is_line = movers[-1] is winner
    reason, more = ("wins", "with") if is_line else ("loses: it must complete a line", "within")
    when = "on its next move" if moves == 1 else f"{more} {moves} more moves"
    return f"With best play, {MARKS[movers[-1]]} {reason} {when}."


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


@pytest.mark.parametrize("game", games())
def test_a_review_is_walked_through_with_five_buttons(game: Record) -> None:
    last, decided = len(game.moves), decided_after(game)
    for ply in range(last + 1):
        moment = ply if turning_point(verdicts_on(game)) is None else decided
        view = review_view(Review(ReviewPage(game, ply), verdicts_on(game)), EN)
        steps = [0, max(0, ply - 1), min(last, ply + 1), last, moment]
        led = targets(controls(view, game.rules)[:5])
        assert led == [None if step == ply else ReviewPage(game, step) for step in steps]
        labels = [button.label for button in controls(view, game.rules)[:5]]
        assert labels == ["Start", "Back", "Next", "End", "Turning point"]
        marks = [str(square.emoji) for square in squares(view, game.rules).values()]
        expected = [MARKS[game.boards[ply][cell]] for cell in game.rules.cells]
        assert [mark.replace("💡", "None") for mark in marks] == expected
        board = game.boards[ply]
        made = {cell: ReviewPage(game, ply) for ply, cell in enumerate(game.moves[:ply], 1)}
        for cell, square in squares(view, game.rules).items():
            if str(square.emoji) != "💡":
                leads = board[cell] and cell != board.vanishing
                assert targets([square]) == [made[cell] if leads else None]


@pytest.mark.parametrize("game", games())
def test_a_review_opens_at_the_turning_point(game: Record) -> None:
    opened = review_view(Review(ReviewPage(game), verdicts_on(game)), EN)
    there = review_view(Review(ReviewPage(game, decided_after(game)), verdicts_on(game)), EN)
    assert drawn(opened) == drawn(there)


@pytest.mark.parametrize("game", games())
def test_what_was_better_than_a_mistake_is_marked_and_named(game: Record) -> None:
    name = game.rules.coordinate
    for ply, (before, action) in enumerate(zip(game.boards, game.moves, strict=False), 1):
        view = review_view(Review(ReviewPage(game, ply), verdicts_on(game)), EN)
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
        said = text_of(view)
        assert (
            f"**Move {ply} of {len(game.moves)}: {MARKS[before.to_move]} {name(action)}**" in said
        )
        mover = MARKS[before.to_move]
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


@pytest.mark.parametrize("game", [game for game in games() if 0 < len(game.moves) < 25])
def test_each_step_says_what_best_play_leads_to_from_there(game: Record) -> None:
    for ply, board in enumerate(game.boards[1:], 1):
        said = text_of(review_view(Review(ReviewPage(game, ply), verdicts_on(game)), EN))
        sentences = re.findall(r"With best play, [^.]*\.", said)
        assert sentences == ([] if board.is_terminal else [outlook(board)])


@languages
def test_of_fewer_than_four_judged_moves_there_is_no_accuracy(language: Language) -> None:
    for moves in ((), (4,), (4, 2, 0, 6, 5, 1, 3), (3, 5, 2, 6, 7, 1, 8, 4, 0)):
        game = Record(moves=moves)
        judged = [v.mark for v in verdicts_on(game) if not v.is_safe]
        assert max(map(judged.count, Mark)) < 4
        said = text_of(review_view(Review(ReviewPage(game, 0), verdicts_on(game)), language))
        assert not re.search("%|accuracy|precisão", said, re.IGNORECASE)


def test_an_only_move_is_named_one() -> None:
    for game in games():
        for ply, (before, action) in enumerate(zip(game.boards, game.moves, strict=False), 1):
            worths = worths_on(before)
            best = max(worth.value for worth in worths.values())
            keeping = [cell for cell, worth in worths.items() if worth.value is best]
            said = text_of(review_view(Review(ReviewPage(game, ply), verdicts_on(game)), EN))
            is_only = keeping == [action] and len(worths) > 1
            told = "It was the only good move." in said or "every other move loses." in said
            assert told == is_only


# Try again


@pytest.mark.parametrize("game", games())
def test_at_each_mistake_a_review_offers_to_try_again(game: Record) -> None:
    for ply, made in enumerate(verdicts_on(game), 1):
        page = ReviewPage(game, ply, Headers(1, 2))
        view = review_view(Review(page, verdicts_on(game)), EN)
        offered = controls(view, game.rules)[5:]
        assert [button.label for button in offered] == ["Try again"] * made.is_blunder
        again = RetryPage(game, ply, headers=page.headers)
        assert targets(offered) == [again] * made.is_blunder
        for cell, square in squares(view, game.rules).items():
            if made.is_blunder and str(square.emoji) == "💡":
                assert targets([square]) == [replace(again, cell=cell)]


@pytest.mark.parametrize("game", games())
def test_a_mistake_is_put_up_as_it_stood_before(game: Record) -> None:
    for page, tried in retries(game):
        ply, before, made = page.ply, game.boards[page.ply - 1], game.moves[page.ply - 1]
        view = retry_view(Retry(page, verdicts_on(game), tried), EN)
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
def test_whether_a_move_is_right_the_solver_says(game: Record) -> None:
    for page, tried in retries(game):
        if tried is None:
            continue
        before = game.boards[page.ply - 1]
        best = max(worth.value for worth in worths_on(before).values())
        is_right = worths_on(before)[tried.action].value is best
        said = text_of(retry_view(Retry(page, verdicts_on(game), tried), EN))
        name = game.rules.coordinate(tried.action)
        assert (f"🎯 **{name}** " in said) == (is_right and not tried.missed_wins)
        wrong = (
            f"💥 **{name}** · With best play, ",
            f"💥 **{name}** completes a line: here, that loses.",
        )
        assert any(words in said for words in wrong) == (not is_right)
        assert ("to move: which move is better?" in said) == (not is_right)


def test_a_win_that_takes_longer_than_another_is_right_too() -> None:
    game = Record(moves=(0, 1, 2, 4, 6, 5))  # O, who could complete a line, let X have one
    slower = next(v for v in advice_on(game.boards[5]) if v.action == 3)
    said = text_of(retry_view(Retry(RetryPage(game, 6, 3), verdicts_on(game), slower), EN))
    ends = outlook(game.boards[5].result(3))
    assert said.endswith(f"🎯 {ends} B3 would have won right away.")


@languages
def test_from_a_mistake_one_gets_back_to_the_review_and_on_to_the_next(language: Language) -> None:
    verdicts, headers = verdicts_on(MISTAKEN), Headers(1, 2)
    plies = [ply for ply, verdict in enumerate(verdicts, 1) if verdict.is_blunder]
    for ply, next_ in zip(plies, [*plies[1:], plies[0]], strict=True):
        view = retry_view(Retry(RetryPage(MISTAKEN, ply, headers=headers), verdicts), language)
        assert targets(controls(view, MISTAKEN.rules)) == [
            ReviewPage(MISTAKEN, ply, headers),
            RetryPage(MISTAKEN, next_, headers=headers),
        ]


# Puzzle


@languages
@pytest.mark.parametrize("day", WEEK)
def test_an_open_puzzle_is_solved_on_its_free_cells(day: date, language: Language) -> None:
    puzzle = daily_puzzle(day)
    for tried in (tried for tried in attempts(puzzle) if not is_over(tried, puzzle)):
        view = puzzle_view(DailyPuzzle(PuzzlePage(day, tried), puzzle), language)
        for cell, square in squares(view, puzzle.board.rules).items():
            mark = puzzle.board[cell]
            open_to = not mark and cell not in tried
            page = PuzzlePage(day, (*tried, cell)) if open_to else None
            assert targets([square]) == [page]
            assert square.label == (puzzle.board.rules.coordinate(cell) if open_to else None)
            assert str(square.emoji) == ("💥" if cell in tried else MARKS[mark])
        said = text_of(view)
        assert said.count("💥") == len(tried)
        assert said.splitlines()[-1] == PuzzleTexts(language).tries_left(TRIES - len(tried))
        taken = [cell for mark in Mark for cell in puzzle.board.held_by(mark)]
        named = [puzzle.board.rules.coordinate(cell) for cell in (*taken, *tried)]
        assert coordinates(said) == named
        assert not re.search("🎯|💡|```", said)


@languages
@pytest.mark.parametrize("day", WEEK)
def test_nothing_of_an_open_puzzle_tells_the_solution(day: date, language: Language) -> None:
    """The message would be the same, were any other of the untried cells the one."""
    puzzle = daily_puzzle(day)
    for tried in (tried for tried in attempts(puzzle) if not is_over(tried, puzzle)):
        view = drawn(puzzle_view(DailyPuzzle(PuzzlePage(day, tried), puzzle), language))
        for cell in puzzle.worths.keys() - {puzzle.solution, *tried}:
            swapped = {cell: puzzle.worths[puzzle.solution], puzzle.solution: puzzle.worths[cell]}
            worths = puzzle.worths | swapped
            other = replace(puzzle, worths=worths, solution=cell, line=(cell, *puzzle.line[1:]))
            assert drawn(puzzle_view(DailyPuzzle(PuzzlePage(day, tried), other), language)) == view


@languages
@pytest.mark.parametrize("day", WEEK)
def test_a_puzzle_that_is_over_shows_its_solution(day: date, language: Language) -> None:
    puzzle = daily_puzzle(day)
    name = puzzle.board.rules.coordinate
    for tried in (tried for tried in attempts(puzzle) if is_over(tried, puzzle)):
        view = puzzle_view(DailyPuzzle(PuzzlePage(day, tried), puzzle), language)
        board = squares(view, puzzle.board.rules)
        symbol = "🎯" if puzzle.solution in tried else "💡"
        assert [cell for cell, s in board.items() if str(s.emoji) == symbol] == [puzzle.solution]
        green = [cell for cell, s in board.items() if s.style is ButtonStyle.success]
        assert green == [puzzle.solution]
        missed = {cell for cell, s in board.items() if str(s.emoji) == "💥"}
        assert missed == set(tried) - {puzzle.solution}
        said = text_of(view)
        assert re.search(rf"{symbol}.* \*\*{name(puzzle.solution)}\*\*", said)
        assert said.count("🎯") + said.count("💡") == 1
        assert coordinates(said)[-len(puzzle.line) :] == [name(cell) for cell in puzzle.line]
        tomorrow = said.split("<t:")[1].split(":t>")[0]
        assert int(tomorrow) == (day - date(1970, 1, 1)).days * 86400 + 86400
        share, _practice = controls(view, puzzle.board.rules)[3:]
        shared = SharePage(day, puzzle.grade, misses=len(missed))
        assert targets([share]) == [shared]
        assert shared.is_solved == (puzzle.solution in tried)


@pytest.mark.parametrize("day", [*WEEK, LONG_INFINITE])
def test_the_solution_of_a_puzzle_that_is_over_is_walked_through(day: date) -> None:
    puzzle = daily_puzzle(day)
    last, name = len(puzzle.line), puzzle.board.rules.coordinate
    for ply, (board, step) in enumerate(solution_of(puzzle)):
        page = PuzzlePage(day, (puzzle.solution,), ply)
        view = puzzle_view(DailyPuzzle(page, puzzle, step=step), EN)
        steps = [max(0, ply - 1), min(last, ply + 1), last]
        led = targets(controls(view, board.rules)[:3])
        assert led == [None if to == ply else replace(page, ply=to) for to in steps]
        labels = [button.label for button in controls(view, board.rules)]
        assert labels == ["Back", "Next", "End", "Share", "Practice"]
        made = {cell: replace(page, ply=to) for to, cell in enumerate(puzzle.line[: ply or 1], 1)}
        for cell, square in squares(view, board.rules).items():
            leads = cell != board.vanishing and (ply == 0 or board[cell] is not None)
            assert targets([square]) == [made.get(cell) if leads else None]
            assert cell == puzzle.solution or str(square.emoji) == MARKS[board[cell]]
        said = text_of(view)
        for number, cell in enumerate(puzzle.line, 1):
            mark = MARKS[step.mark if step and number == ply else None]
            assert (f"**{mark} {name(cell)}**" in said) == (number == ply)
        assert step is None or f"{MARKS[step.mark]} **{name(puzzle.line[ply - 1])}** " in said


def solution_of(puzzle: Puzzle) -> Iterator[tuple[Board, Verdict | None]]:
    """Each position of best play, with the move that led to it."""
    board = puzzle.board
    yield board, None
    for cell in puzzle.line:
        step = next(verdict for verdict in advice_on(board) if verdict.action == cell)
        board = board.result(cell)
        yield board, step


def test_what_is_shared_leads_everybody_to_the_same_puzzle() -> None:
    view = share_view(SharePage(WEEK[0], Grade.EASY, 1), 111, EN)
    assert targets(buttons(view)) == [PuzzlePage(WEEK[0])]


@pytest.mark.parametrize("day", WEEK)
def test_the_task_is_the_one_that_the_solver_proves(day: date) -> None:
    puzzle = daily_puzzle(day)
    worths = worths_on(puzzle.board)
    best = max(worth.value for worth in worths.values())
    assert [cell for cell, worth in worths.items() if worth.value is best] == [puzzle.solution]
    said = text_of(puzzle_view(DailyPuzzle(PuzzlePage(day), puzzle), EN))
    moves = (worths[puzzle.solution].plies_to_end + 1) // 2
    to_win = f"to move and win in {moves}: only one move does it. Which one?"
    task = to_win if best is Value.WIN else "to move: only one move holds the draw. Which one?"
    assert f"{MARKS[puzzle.board.to_move]} {task}" in said.splitlines()


@pytest.mark.parametrize("day", WEEK)
def test_each_miss_is_answered_with_what_it_would_lead_to(day: date) -> None:
    puzzle = daily_puzzle(day)
    for cell in puzzle.worths.keys() - {puzzle.solution}:
        said = text_of(puzzle_view(DailyPuzzle(PuzzlePage(day, (cell,)), puzzle), EN))
        ends = outlook(puzzle.board.result(cell))
        assert f"💥 **{puzzle.board.rules.coordinate(cell)}** · {ends}" in said


def test_a_miss_that_loses_is_answered_with_the_reply_unless_that_gives_the_answer_away() -> None:
    seen = set[bool]()
    for day in range(1, 29):
        puzzle = daily_puzzle(date(2026, 5, day))
        name = puzzle.board.rules.coordinate
        lost = [cell for cell, worth in puzzle.worths.items() if worth.value is Value.LOSS]
        replies = {cell: best_reply(puzzle.board, cell) for cell in lost}
        for cell, reply in replies.items():
            assert reply is not None
            gives_away = reply.action == puzzle.solution
            seen.add(gives_away)
            answer = f"{MARKS[reply.mark]} can answer: **{name(reply.action)}**"
            others = [other for other in puzzle.worths if other not in (cell, puzzle.solution)]
            for tried in ((cell,), (cell, *others[: TRIES - 1])):
                page = PuzzlePage(date(2026, 5, day), tried)
                said = PuzzleTexts(EN).puzzle(DailyPuzzle(page, puzzle, replies))
                is_answered = len(tried) == TRIES or not gives_away
                assert (f"💥 **{name(cell)}** loses. {answer}" in said) is is_answered
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("moves", "better"),
    [
        ((0, 1, 4, 2, 8), "C2, A3, or B3 would have held out longer."),
        ((0, 1, 3, 4, 6), "C1, C2, or C3 would have held the draw."),
        ((0, 2, 3, 8, 6), "B1 would have won."),
    ],
)
def test_the_line_that_lost_is_the_first_mistake_that_a_review_names(
    moves: tuple[Cell, ...], better: str
) -> None:
    game = Record(MISERE, moves)
    last = review_view(Review(ReviewPage(game, len(moves)), verdicts_on(game)), EN)
    lost, first, *_ = [line for line in text_of(last).splitlines() if line.startswith("Move ")]
    name = game.rules.coordinate(moves[-1])
    assert lost.startswith(f"Move 5, {name}: ❌ completed a line")
    assert lost.endswith(better)
    assert first.startswith("Move 1, A1: ❌ turned a draw into a loss.")
    assert f"**{name}** completes a line" in text_of(last)
    marked = [c for c, square in squares(last, MISERE).items() if str(square.emoji) == "💡"]
    assert coordinates(better) == [game.rules.coordinate(cell) for cell in marked]
    labels = [button.label for button in controls(last, MISERE)]
    assert ("Try again" in labels) is verdicts_on(game)[-1].is_blunder


def test_a_line_that_had_to_be_completed_is_no_mistake() -> None:
    game = Record(MISERE, (4, 0, 2, 1, 5, 7, 3))
    said = text_of(review_view(Review(ReviewPage(game), verdicts_on(game)), EN))
    assert "completed a line" not in said
