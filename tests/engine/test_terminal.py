"""python -m engine, as a person at a terminal meets it."""

import io
import os
import random
import re
import subprocess
import sys

import pytest

from engine import (
    INFINITE,
    MISERE,
    Board,
    Mark,
    Rules,
    advise,
    analyse,
    judge,
    review,
    search,
    tictactoe,
)
from engine.__main__ import main
from engine.terminal.drawing import draw
from engine.terminal.game import SEARCHES, Choice, hint, read_cell
from engine.terminal.game_texts import GameTexts
from engine.terminal.language import ENGLISH
from tests.engine.positions import named

TEXTS = GameTexts(ENGLISH)
LOST = "A1\nA2\nA3\nB1\n"


def in_terminal(*arguments: str, typed: str = "", language: str = "en") -> str:
    """What a terminal shows, with `typed` on its standard input."""
    shown, errors = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LANGUAGE", language)
        patch.setattr("sys.stdin", io.StringIO(typed))
        patch.setattr("sys.stdout", shown)
        patch.setattr("sys.stderr", errors)
        assert main(arguments) == 0
    assert errors.getvalue() == ""
    return shown.getvalue()


def test_it_runs_in_a_process_of_its_own() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "engine", "play", "--first", "me"],
        input="B2\n",
        env=os.environ | {"LANGUAGE": "en", "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert done.stderr == ""
    assert done.stdout.endswith("Goodbye!\n"), "as with Ctrl-D"


def test_letters_that_an_output_cannot_show_are_question_marks() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "engine", "tree"],
        env=os.environ | {"LANGUAGE": "pt_BR", "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
        timeout=300,
    )
    assert done.stderr == b""
    assert b"?" in done.stdout
    assert done.stdout.isascii()


class InterruptedOutput(io.StringIO):
    """An output during which somebody presses Ctrl-C, once."""

    def write(self, text: str) -> int:
        if not self.getvalue():
            super().write("^C")
            raise KeyboardInterrupt
        return super().write(text)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["play", "--self-play"], 0), (["check", tictactoe.__file__, "--only", "player"], 1)],
)
def test_ctrl_c_ends_a_game_well_and_fails_a_check(
    arguments: list[str], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = InterruptedOutput()
    monkeypatch.setattr("sys.stdout", shown)
    assert main([*arguments, "--language", "en"]) == code
    assert shown.getvalue() == "^C\nGoodbye!\n"


def test_the_first_player_is_random_by_default() -> None:
    starters = {in_terminal("play", "--seed", str(seed)).splitlines()[0] for seed in range(8)}
    assert {line[:9] for line in starters} == {"You are X", "You are O"}


@pytest.mark.parametrize("yes", ["", "y", "Yes", "s", "si", "Sí", "sim"])
def test_a_yes_in_any_language_begins_another_game(yes: str) -> None:
    shown = in_terminal("play", "--first", "me", typed=f"{LOST}{yes}\n")
    assert shown.count("C3; q ") == 2, "a second game has begun"


@pytest.mark.parametrize("end", ["n", "no", "não", "q", "exit", "sair", "Salir"])
def test_a_no_in_any_language_ends_the_program(end: str) -> None:
    shown = in_terminal("play", "--first", "me", typed=f"{LOST}{end}\nB2\n", language="es")
    assert shown.count("C3; q ") == 1
    assert shown.endswith("salir ")


def test_what_is_neither_yes_nor_no_is_asked_again() -> None:
    shown = in_terminal("play", "--first", "me", typed=f"{LOST}what\nn\n")
    assert shown.count("Enter: play again") == 2


@pytest.mark.parametrize("end", ["q", "QUIT", "exit", "sair", "salir"])
def test_a_game_is_left_in_any_language(end: str) -> None:
    shown = in_terminal("play", "--first", "me", typed=f"A1\n{end}\nB2\n", language="pt_BR")
    assert shown.count("X> ") == 2


def refused(*arguments: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What a terminal says of what it cannot do: the lines that are shown."""
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--language", "en"])
    assert ended.value.code == 2
    shown = capsys.readouterr()
    assert not shown.out
    return shown.err.splitlines()


def test_options_may_stand_between_words(capsys: pytest.CaptureFixture[str]) -> None:
    (problem, _) = refused("contest", tictactoe.__file__, "--seed", "1", "godlike", capsys=capsys)
    assert problem.startswith('There\'s no player "godlike"'), "it was read as the opponent"


def test_without_a_command_a_game_begins() -> None:
    assert in_terminal().startswith("You are ")
    assert in_terminal("--language", "es").startswith("Juegas con ")


def test_a_watched_game_shows_what_searches_cost() -> None:
    shown = in_terminal("play", "--first", "me", "--board", "4x4x3", "--watch")
    assert re.search(r"cut-offs   4 moves deep\nplain minimax +47,297 +0\n", shown)


def test_a_win_that_was_missed_is_named_though_the_next_move_wins_as_well() -> None:
    slower = review([4, 0, 6, 8, 1])[-1]
    said = "  5. X + B1 (misses an immediate win): X wins next; at once: C1"
    assert TEXTS.judgement(5, slower) == said


@pytest.mark.parametrize("board", ["2x2x2", "03x3x3", "3x3x3 ", "infinity", ""])
def test_an_unknown_game_is_refused(board: str) -> None:
    with pytest.raises(SystemExit):
        main(["play", "--board", board])


def test_without_a_terminal_there_are_no_colours() -> None:
    assert "\x1b" not in in_terminal("play", "--self-play", "--hint", "--seed", "1")


def test_there_are_colours_where_the_terminal_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    drawn = hint(Board.parse("xo. xxo ..o"), None, TEXTS)
    colours = dict(map(reversed, re.findall(r"\x1b\[(\d+)m (.) ", drawn)))
    assert sorted(colours) == sorted("XO+=-")
    assert len({*colours.values()}) == 5, "a mark is not a loss"
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in draw(Board.parse("x.. ... ..."))


THREE_MARKS_EACH = Board.parse("x1o1x2 o2x3.. ....o3", INFINITE)


def test_self_play_wins_infinite_in_thirteen_moves() -> None:
    shown = in_terminal("play", "--board", "infinite", "--self-play", "--review", "--seed", "1")
    assert shown.startswith("Each player keeps three marks")
    assert shown.count("After ") == 13
    assert "\nX wins!\n" in shown
    assert shown.splitlines()[-1].endswith("(completes a line): X wins; the only move")


def test_nothing_vanishes_before_there_are_six_marks_nor_once_the_game_is_over() -> None:
    five_marks = Board.parse("x1o1x2 o2x3.. ......", INFINITE)
    won = THREE_MARKS_EACH.result(6)
    assert won.is_terminal
    assert TEXTS.notes(five_marks) + TEXTS.notes(won) == []


def test_the_mark_that_vanishes_next_is_grey(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    drawn = draw(THREE_MARKS_EACH)
    assert drawn.count("\x1b[90m X ") == 1
    assert drawn.index("\x1b[90m X ") < drawn.index("\x1b[36m X "), "A1, the first of them"
    assert drawn.count("\x1b[36m X ") == 2


def test_the_cell_about_to_vanish_is_refused_with_the_reason() -> None:
    with pytest.raises(ValueError, match="A1 becomes free only after your move: choose"):
        read_cell("a1", THREE_MARKS_EACH, TEXTS)
    assert read_cell("a1", THREE_MARKS_EACH.result(5), TEXTS) == 0, "it has vanished"


def test_completing_a_line_in_misere_is_announced_as_a_loss() -> None:
    lined_up = Board.parse("xxx oo. ...", MISERE)
    assert TEXTS.result(lined_up, Mark.X) == "You lose."
    assert TEXTS.result(lined_up, Mark.O) == "You win!"
    assert TEXTS.result(lined_up, None) == "O wins!"


def described(board: Board, cell: str) -> str:
    return TEXTS.judgement(board.plies + 1, judge(board, named(cell)))


def test_a_review_names_the_mark_that_vanishes_and_no_longer_blocks() -> None:
    lost = Board.parse("o1..o3 x3o2.. x1x2..", INFINITE)
    assert described(lost, "C3") == "  7. X - C3 (A3 vanishes and no longer blocks): O wins next"


def test_a_win_beyond_the_sixtieth_move_is_not_shown() -> None:
    won_in_seven = "....x3 x1x2o2 o3..o1"
    in_time, late = (Board.parse(f"{won_in_seven} {plies}", INFINITE) for plies in (52, 54))
    won = " 53. X + A1 (threatens, and wins even if blocked): X wins with 3 more moves"
    assert described(in_time, "A1") == f"{won}; the only move"
    assert described(late, "A1") == " 55. X = A1 (threatens to win): a draw at move 60"


@pytest.mark.parametrize("rules", [INFINITE, MISERE], ids=str)
def test_every_move_of_any_position_has_a_text(rules: Rules) -> None:
    rng, said = random.Random(1), ""
    for _ in range(8):
        board = Board(rules)
        while not board.is_terminal:
            advice = advise(board)
            said += hint(board, None, TEXTS)
            said += "".join(TEXTS.judgement(board.plies + 1, verdict) for verdict in advice)
            often = rng.random() < 0.7
            board = board.result(advice[0].action if often else rng.choice(board.actions()))
        said += TEXTS.result(board, None)
    assert "None" not in said
    assert ("at once" in said) is (rules == INFINITE), "no move wins at once where lines lose"


def test_each_search_reports_its_own_visits() -> None:
    board = Board.parse("xo. .x. ...")
    for name, pruning in (("alphabeta", True), ("minimax", False)):
        found = search(board, pruning=pruning)
        assert SEARCHES[name](board) == Choice(found.best_actions[0], found.nodes)


@pytest.mark.parametrize("name", SEARCHES)
def test_whatever_the_search_it_plays_a_best_move(name: str) -> None:
    for drawn in ("xx. oo. ...", "... ..o oxx", "... .ox .xo", "... o.x xo."):
        board = Board.parse(drawn)
        worths = analyse(board)
        best = max(worth.value for worth in worths.values())
        assert worths[SEARCHES[name](board).cell].value is best, board


def test_self_play_works_with_the_solver() -> None:
    shown = in_terminal("play", "solver", "--self-play", "--board", "4x4x3")
    assert shown.endswith("\nX wins!\n")
    assert "no further" not in shown, "it sees the end"


def test_misere_may_have_its_accent() -> None:
    assert in_terminal("play", "--board", "MISÈRE").startswith("Whoever gets three in a row loses.")
