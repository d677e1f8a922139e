"""Every sentence of the lessons, in every language, in the singular and in the plural."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import product

import pytest

from bot.game.headers import EARLY_ENDINGS, Headers
from bot.game.learn import Chapter
from bot.game.lesson import DailyPuzzle, Retry, Review
from bot.game.match import Ending, How
from bot.game.page import PuzzlePage, RetryPage, ReviewPage, SharePage
from bot.texts import LANGUAGES, BoardTexts, language_for
from bot.texts.judgements import WITHOUT_REASON, Judgements
from bot.texts.minimax import MinimaxTexts
from bot.texts.mistakes import MistakeTexts
from bot.texts.puzzles import PuzzleTexts
from bot.texts.reviews import ReviewTexts
from bot.texts.words import Language
from bot.views.minimax import picture_of
from engine import (
    INFINITE,
    MISERE,
    TIC_TAC_TOE,
    Board,
    Cell,
    Grade,
    Level,
    Mark,
    Puzzle,
    Reason,
    Record,
    Rules,
    Value,
    Verdict,
    Worth,
    advise,
    daily_puzzle,
    review,
)
from tests.bot.taught import shown, taught
from tests.bot.texts.test_texts import a_language_that_lags, placeholders
from tests.bot.views.test_controls import a_match

EN, PT = language_for("en"), language_for("pt-BR")
JUDGED = {locale: Judgements(language_for(locale)) for locale in LANGUAGES}
DAY = date(2026, 7, 6)
DRAW = Worth(Value.DRAW, 4)
BOARD = Board.parse("x.. .o. ..x")
BROKEN = Record(moves=(4, 0))
HEADERS = [Headers(111, 222, ending) for ending in EARLY_ENDINGS.values()]
FACTS: dict[str, str | int] = {"wins": "A1", "n": 3, "m": 8, "vanishing": "A3"}


def in_plies(plies: int) -> Worth:
    """A win, if it takes an odd number of plies; a loss, if it takes an even one."""
    return Worth(Value.WIN if plies % 2 else Value.LOSS, plies)


def mistake(best: Value, made: Value, better: Sequence[Cell] = (1,)) -> Verdict:
    return Verdict(
        board=BOARD,
        action=2,
        worth=Worth(made, 2),
        best=Worth(best, 3),
        best_actions=tuple(better),
        reason=None,
        is_only_move=False,
        is_safe=False,
    )


def told_in(locale: str, blunder: Verdict) -> str:
    return MistakeTexts(language_for(locale)).mistake(4, blunder)


def a_puzzle(grade: Grade, value: Value) -> Puzzle:
    """One that is as hard as that."""
    plies = {Grade.EASY: 3, Grade.MEDIUM: 5, Grade.HARD: 7}[grade]
    worth = Worth(value, plies)
    return Puzzle(BOARD, {1: worth, 2: in_plies(plies + 1)}, 1, (1, 2))


def tries(board: Board) -> dict[Cell | None, Verdict | None]:
    return {None: None} | {verdict.action: verdict for verdict in advise(board)}


def every_lesson(language: Language) -> list[str]:
    """Each sentence at least once; those that are put together, put together."""
    games = [Record(), Record(moves=(4,)), Record(moves=(0, 4, 8, 2, 6, 3, 5))]
    games.append(Record(MISERE, (0, 1, 4, 2, 8)))
    reviews = [(game, review(game.moves, game.rules)) for game in games]
    puzzles = [a_puzzle(*kind) for kind in product(Grade, (Value.WIN, Value.DRAW))]
    puzzles += [replace(puzzles[0], board=Board.parse("x1.... ..o1.. ....x2", INFINITE))]
    judged = Judgements(language)
    return [
        *(judged.outlook(in_plies(plies), mark) for plies, mark in product(range(1, 5), Mark)),
        judged.outlook(DRAW, Mark.X),
        *(judged.reason(Board(), 4, reason, Value.WIN, **FACTS) for reason in Reason),
        *(judged.reason(Board(), 4, None, value) for value in WITHOUT_REASON),
        Judgements(language).hint(advise(BOARD), None),
        Judgements(language).hint(advise(Board.parse("xx. oo. ...")), 8),
        Judgements(language).hint(advise(Board(Rules(5, 5, 5))), None),
        Judgements(language).play_button(TIC_TAC_TOE, 4),
        *(
            ReviewTexts(language).review(Review(ReviewPage(game, ply), v))
            for game, v in reviews
            for ply in range(len(v) + 1)
        ),
        *(
            ReviewTexts(language).review(
                Review(ReviewPage(BROKEN, headers=h), review(BROKEN.moves))
            )
            for h in HEADERS
        ),
        *ReviewTexts(language).step_buttons(),
        MistakeTexts(language).retry_button(),
        *MistakeTexts(language).retry_buttons(),
        *(
            MistakeTexts(language).retry(
                Retry(RetryPage(games[-1], 4, cell), review(games[-1].moves), tried)
            )
            for cell, tried in tries(games[-1].boards[3]).items()
        ),
        *(
            PuzzleTexts(language).puzzle(DailyPuzzle(PuzzlePage(DAY, tried), puzzle))
            for puzzle in puzzles
            for tried in ((), (2,), (1,))
        ),
        *(PuzzleTexts(language).tries_left(tries) for tries in (1, 2, 3)),
        *(
            PuzzleTexts(language).puzzle_over(DailyPuzzle(PuzzlePage(DAY, tried), puzzle))
            for puzzle in puzzles
            for tried in ((2,), (1,))
        ),
        PuzzleTexts(language).puzzle_over(
            DailyPuzzle(PuzzlePage(DAY, (1,), ply=1), puzzles[0], step=advise(BOARD)[0])
        ),
        PuzzleTexts(language).share_button(),
        PuzzleTexts(language).solve_button(),
        *map(MinimaxTexts(language).screen, taught()),
        *(
            MinimaxTexts(language).alternative(picture.sketch)
            for picture in map(picture_of, taught())
            if picture
        ),
        MinimaxTexts(language).depth_button(3),
        MinimaxTexts(language).up_button(),
        *MinimaxTexts(language).navigation_buttons(),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_placeholder_of_a_lesson_is_left_unfilled(language: str) -> None:
    for sentence in every_lesson(language_for(language)):
        assert sentence.strip()
        assert not placeholders(sentence), sentence
        assert "None" not in sentence


def test_the_languages_differ_in_every_line_of_a_lesson_that_has_words() -> None:
    for portuguese, english in zip(every_lesson(PT), every_lesson(EN), strict=True):
        assert portuguese != english
        lines = zip(portuguese.splitlines(), english.splitlines(), strict=True)
        same = [one for one, other in lines if one == other and re.search(r"[a-z]{2}", one)]
        assert not same


def test_every_reason_has_a_sentence_of_its_own() -> None:
    for judged in (JUDGED["en"], JUDGED["pt_BR"]):
        named = {judged.reason(Board(), 4, reason, Value.WIN, **FACTS) for reason in Reason}
        said = named | {judged.reason(Board(), 4, None, value) for value in WITHOUT_REASON}
        assert len(said) == len(Reason) + len(WITHOUT_REASON)
        assert all(sentence.startswith("**B2** ") for sentence in said)


@pytest.mark.parametrize(
    ("plies", "english", "portuguese"),
    [
        (1, "❌ wins on its next move.", "❌ vence na próxima vez que jogar."),
        (2, "⭕ wins on its next move.", "⭕ vence na próxima vez que jogar."),
        (3, "❌ wins with 2 more moves.", "❌ vence com mais 2 jogadas."),
        (4, "⭕ wins with 2 more moves.", "⭕ vence com mais 2 jogadas."),
    ],
)
def test_the_winners_own_moves_are_counted(plies: int, english: str, portuguese: str) -> None:
    for locale, said in (("en", english), ("pt_BR", portuguese)):
        assert JUDGED[locale].outlook(in_plies(plies), Mark.X).endswith(said)


def test_tries_are_counted_in_the_singular_and_in_the_plural() -> None:
    assert [PuzzleTexts(EN).tries_left(n) for n in (1, 3)] == ["1 try left.", "3 tries left."]
    assert [PuzzleTexts(PT).tries_left(n) for n in (1, 3)] == [
        "Resta 1 tentativa.",
        "Restam 3 tentativas.",
    ]


def test_hints_are_counted_in_the_singular_and_in_the_plural() -> None:
    matches = [replace(a_match((0, 3, 1, 4, 2)), hints=hints) for hints in (0, 1, 2)]
    for language, counted in [
        ("en", ("with 1 hint", "with 2 hints")),
        ("pt-BR", ("com 1 dica", "com 2 dicas")),
    ]:
        none, one, two = (
            BoardTexts(language_for(language)).footnote(match) or "" for match in matches
        )
        assert one.endswith(counted[0])
        assert two.endswith(counted[1])
        assert not re.search("hint|dica", none)


@pytest.mark.parametrize(
    ("better", "value", "english", "portuguese"),
    [
        ((1,), Value.WIN, "B1 would have won.", "B1 teria vencido."),
        ((1, 5), Value.WIN, "B1 or C2 would have won.", "B1 ou C2 teriam vencido."),
        ((1,), Value.DRAW, "B1 would have held the draw.", "B1 teria segurado o empate."),
        (
            (1, 3, 5),
            Value.DRAW,
            "B1, A2, or C2 would have held the draw.",
            "B1, A2 ou C2 teriam segurado o empate.",
        ),
        ((1,), Value.LOSS, "B1 would have held out longer.", "B1 teria resistido por mais tempo."),
        (
            (1, 5),
            Value.LOSS,
            "B1 or C2 would have held out longer.",
            "B1 ou C2 teriam resistido por mais tempo.",
        ),
    ],
)
def test_what_would_have_been_better_is_one_move_or_several(
    better: tuple[Cell, ...], value: Value, english: str, portuguese: str
) -> None:
    verdict = mistake(value, Value.LOSS, better)
    assert told_in("en", verdict).endswith(f"💡 {english}")
    assert told_in("pt_BR", verdict).endswith(f"💡 {portuguese}")


@pytest.mark.parametrize(
    ("board", "made", "english", "portuguese"),
    [
        ("xx. oo. ...", 8, "C1 would have won right away.", "C1 venceria na hora."),
        (
            "xx. ox. o.o",
            5,
            "C1 or B3 would have won right away.",
            "C1 ou B3 venceriam na hora.",
        ),
    ],
)
def test_of_a_win_that_was_missed_it_is_said_that_it_was_there_at_once(
    board: str, made: Cell, english: str, portuguese: str
) -> None:
    verdict = next(v for v in advise(Board.parse(board)) if v.action == made)
    assert told_in("en", verdict).endswith(f"💡 {english}")
    assert told_in("pt_BR", verdict).endswith(f"💡 {portuguese}")


@pytest.mark.parametrize(
    ("best", "made", "english", "portuguese"),
    [
        (Value.DRAW, Value.LOSS, "turned a draw into a loss", "um empate em derrota"),
        (Value.WIN, Value.DRAW, "turned a win into a draw", "uma vitória em empate"),
        (Value.WIN, Value.LOSS, "turned a win into a loss", "uma vitória em derrota"),
    ],
)
def test_a_mistake_says_what_became_of_what(
    best: Value, made: Value, english: str, portuguese: str
) -> None:
    verdict = mistake(best, made)
    assert told_in("en", verdict).startswith(f"Move 4, C1: ⭕ {english}.")
    assert told_in("pt_BR", verdict).startswith(f"Jogada 4, C1: ⭕ transformou {portuguese}.")


@pytest.mark.parametrize(
    ("moves", "english", "portuguese"),
    [
        ((0, 3, 1, 4, 2), "❌ won", "❌ venceu"),
        ((0, 3, 1, 4, 8, 5), "⭕ won", "⭕ venceu"),
        ((4, 0, 8, 2, 1, 7, 3, 5, 6), "a draw", "empate"),
        ((4, 0), "unfinished", "inacabada"),
    ],
)
def test_a_review_says_how_the_game_ended(
    moves: tuple[Cell, ...], english: str, portuguese: str
) -> None:
    for language, result in ((EN, english), (PT, portuguese)):
        said = (
            ReviewTexts(language)
            .review(Review(ReviewPage(Record(moves=moves), 0), review(moves)))
            .splitlines()
        )
        assert said[1].endswith(f" · {result}")


@pytest.mark.parametrize(
    ("ending", "english", "portuguese"),
    [
        (Ending(How.RESIGNED, Mark.X), "<@222> resigned.", "<@222> desistiu."),
        (Ending(How.TIMED_OUT, Mark.O), "<@111> ran out of time.", "O tempo de <@111> acabou."),
        (
            Ending(How.CALLED_OFF),
            "Time ran out: the match was called off.",
            "O tempo acabou: a partida foi anulada.",
        ),
        (
            Ending(How.STOPPED),
            "A moderator ended the match, without a result.",
            "A moderação encerrou a partida, sem resultado.",
        ),
        (None, "unfinished", "inacabada"),
    ],
)
def test_the_review_of_a_match_says_who_played_it_and_what_broke_it_off(
    ending: Ending | None, english: str, portuguese: str
) -> None:
    page = ReviewPage(BROKEN, headers=Headers(111, 222, ending))
    for language, result in ((EN, english), (PT, portuguese)):
        said = ReviewTexts(language).review(Review(page, review(BROKEN.moves))).splitlines()
        assert re.fullmatch("❌ <@111>  .*  ⭕ <@222>", said[1])
        assert said[2].endswith(f" · {result}")


def test_accuracy_is_the_share_of_risky_moves_that_kept_the_result() -> None:
    def lines(language: Language, game: Record) -> list[str]:
        said = ReviewTexts(language).review(
            Review(ReviewPage(game, 0), review(game.moves, game.rules))
        )
        assert "-# Accuracy: " in said or "-# Precisão: " in said
        return re.findall("^[❌⭕].*", said, re.MULTILINE)

    one_side = Record(moves=(5, 3, 6, 2, 8, 7, 0, 1, 4))
    assert lines(EN, one_side) == ["⭕ **75%** accuracy: 3 of 4"]
    assert lines(PT, one_side) == ["⭕ **75%** de precisão: 3 de 4"]
    both = Record(Rules(4, 4, 3), (14, 4, 0, 8, 11, 15, 2, 5, 9, 1, 13, 7, 12))
    assert lines(EN, both) == ["❌ **17%** accuracy: 1 of 6", "⭕ **0%** accuracy: 0 of 5"]


def test_of_fewer_than_four_judged_moves_there_is_no_accuracy() -> None:
    for moves in ((), (4,), (4, 2, 0, 6, 5, 1, 3), (3, 5, 2, 6, 7, 1, 8, 4, 0)):
        judged = [sum(not v.is_safe for v in review(moves) if v.mark is mark) for mark in Mark]
        assert max(judged) < 4
        for language in (EN, PT):
            said = ReviewTexts(language).review(
                Review(ReviewPage(Record(moves=moves), 0), review(moves))
            )
            assert not re.search("%|accuracy|precisão", said, re.IGNORECASE)


def test_numbers_and_days_are_written_as_each_language_does() -> None:
    empty = shown(Record(), Chapter.TREE)
    assert "362,880" in MinimaxTexts(EN).screen(empty)
    assert "362.880" in MinimaxTexts(PT).screen(empty)
    puzzle = daily_puzzle(DAY)
    assert "July 6, 2026" in PuzzleTexts(EN).puzzle(DailyPuzzle(PuzzlePage(DAY), puzzle))
    assert "6 de julho de 2026" in PuzzleTexts(PT).puzzle(DailyPuzzle(PuzzlePage(DAY), puzzle))


@pytest.mark.parametrize(
    ("misses", "line"),
    [
        (0, "Velha 2026-07-06 ★★★ 🎯 1/3"),
        (2, "Velha 2026-07-06 ★★★ 💥💥🎯 3/3"),
        (3, "Velha 2026-07-06 ★★★ 💥💥💥 X/3"),
    ],
)
def test_what_is_shared_says_who_solved_which_puzzle_how_fast_and_gives_nothing_away(
    misses: int, line: str
) -> None:
    for language in (EN, PT):
        said = PuzzleTexts(language).shared(SharePage(DAY, Grade.HARD, misses), 111)
        assert said.splitlines() == ["<@111>", line]


@pytest.mark.parametrize(
    ("grade", "english", "portuguese"),
    [
        (Grade.EASY, "★☆☆ easy", "★☆☆ fácil"),
        (Grade.MEDIUM, "★★☆ medium", "★★☆ médio"),
        (Grade.HARD, "★★★ hard", "★★★ difícil"),
    ],
)
def test_a_puzzle_says_how_hard_it_is(grade: Grade, english: str, portuguese: str) -> None:
    puzzle = a_puzzle(grade, Value.WIN)
    assert english in PuzzleTexts(EN).puzzle(DailyPuzzle(PuzzlePage(DAY), puzzle)).splitlines()
    assert portuguese in PuzzleTexts(PT).puzzle(DailyPuzzle(PuzzlePage(DAY), puzzle)).splitlines()


@pytest.mark.parametrize(
    ("board", "plies", "moves"),
    [
        (BOARD, 3, 2),
        (BOARD, 7, 4),
        (Board.parse("x1.... ..o1.. ....x2", INFINITE), 13, 7),
        (Board.parse("x.. .o. ..x", MISERE), 4, 2),
        (Board.parse("x.. .o. ..x", MISERE), 6, 3),
    ],
)
def test_a_puzzle_to_win_says_how_many_moves_the_winner_makes(
    board: Board, plies: int, moves: int
) -> None:
    puzzle = Puzzle(board, {1: Worth(Value.WIN, plies)}, 1, (1,))
    for language, task in (
        (EN, f"⭕ to move and win in {moves}: only one move does it. Which one?"),
        (PT, f"⭕ joga e vence em {moves} jogadas. Só uma jogada serve: qual?"),
    ):
        assert (
            task in PuzzleTexts(language).puzzle(DailyPuzzle(PuzzlePage(DAY), puzzle)).splitlines()
        )


def test_where_marks_vanish_a_puzzle_lists_them_from_the_oldest_on() -> None:
    puzzle = replace(
        a_puzzle(Grade.EASY, Value.WIN), board=Board.parse("x2..o2 o1.... x1....", INFINITE)
    )
    marks = "❌ A3 and A1 · ⭕ A2 and C1"
    assert (
        f"Oldest first: {marks}"
        in PuzzleTexts(EN).puzzle(DailyPuzzle(PuzzlePage(DAY), puzzle)).splitlines()
    )
    said = PuzzleTexts(PT).puzzle(DailyPuzzle(PuzzlePage(DAY), puzzle))
    assert f"Da marca mais antiga à mais nova: {marks.replace('and', 'e')}" in said.splitlines()
    assert "Oldest first" not in PuzzleTexts(EN).puzzle(an_easy_one())


def an_easy_one() -> DailyPuzzle:
    return DailyPuzzle(PuzzlePage(DAY), a_puzzle(Grade.EASY, Value.WIN))


def test_a_puzzle_and_a_level_need_not_be_easy_in_the_same_word() -> None:
    language = a_language_that_lags()
    assert BoardTexts(language).level(Level.EASY) == "llano"
    said = PuzzleTexts(language).puzzle(an_easy_one())
    assert "★☆☆ easy" in said.splitlines()
