"""What the pages for learners say is so, and each of their listings runs and does it."""

from __future__ import annotations

import ast
import doctest
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from engine import Board, Cell, Mark, search
from engine.__main__ import main
from engine.check.checks import FUNCTION_NAMES
from engine.check.finding import FindingKind
from engine.check.hypotheses import Cause, Hint
from engine.check.report import FunctionReport, UnjudgedReason
from engine.levels import Level
from engine.terminal.contest import Game, Opponent, Program, games
from engine.terminal.language import language_named
from tests.engine.drawings import PICTURES, drawings
from tests.engine.learner_files import HASTY, check, texts_in
from tests.engine.make_files import files
from tests.engine.minutes import SLOWLY_TYPED, minutes, promised, shown_of
from tests.engine.positions import REACHABLE, TRUTH, UNFINISHED, as_taught
from tests.engine.road import (
    BLOCK,
    DOCS,
    LANGUAGES,
    Block,
    Step,
    blocks,
    listings,
    pages,
    steps,
    text,
)
from tests.engine.solutions import OURS, changed

ROOT = Path(__file__).parents[2]
ROAD = pages("en")
FIRST_WIN, BOARD, WINNER, MINIMAX, ANY_GAME, ALPHA_BETA, DEPTH, UNDO, SHAPES, OPPONENTS = ROAD
INDEX = "en/WRITE-YOUR-OWN.md"
THEORY = "en/MINIMAX.md"
TEACHING = "en/TEACHING.md"
SLOW_PAGES = {MINIMAX, ANY_GAME, ALPHA_BETA, UNDO}
"""On which a slow minimax is judged on all boards."""
ENGINE = ["python3", "-m", "engine"]
MAX_BOARDS = 1_000
FEW_BOARDS = 200
LAST_LINE = "    [(0, 2), (1, 1), (2, 0)],\n"
"""The second diagonal, in the list of lines on page 3."""


def run_file(code: str) -> dict[str, Any]:
    """Run a listing that is a whole file, and return what it defines."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(code, "listing", "exec", dont_inherit=True), names)  # noqa: S102 - it is our own
    return names


def run_block(block: Block, names: dict[str, Any]) -> None:
    """Run the code of a listing, or its examples, which must be true."""
    if block.is_examples:
        example = doctest.DocTestParser().get_doctest(block.text, names, "page", None, None)
        runner = doctest.DocTestRunner()
        runner.run(example, clear_globs=False)
        assert runner.summarize(verbose=False) == (0, len(example.examples)), block.text
        names |= example.globs
    elif block.kind == "python":
        code = compile(block.text, "page", "exec", dont_inherit=True)
        exec(code, names)  # noqa: S102 - it is our own


@contextmanager
def modules(files: Mapping[str, str]) -> Iterator[None]:
    """Let these files be imported, and forget them then."""
    with TemporaryDirectory() as folder:
        for name, code in files.items():
            (Path(folder) / name).write_text(code, encoding="utf-8")
        sys.path.insert(0, folder)
        try:
            yield
        finally:
            sys.path.remove(folder)
            for name in files:
                sys.modules.pop(name.removesuffix(".py"), None)


@cache
def code_of_the_road(folder: str = "en") -> dict[str, Any]:
    """What is defined by the code of all pages, whose examples are true."""
    names: dict[str, Any] = {"__name__": __name__}
    for step in steps(folder):
        if step.block.file is None:
            with modules(step.files):
                run_block(step.block, names)
        elif not names.keys() & set(FUNCTION_NAMES):  # the skeleton
            run_block(step.block, names)
    return names


def translations(page: str) -> list[str]:
    others = sorted(set(DOCS.glob(page.replace("en/", "*/", 1))) - {DOCS / page})
    return [path.relative_to(DOCS).as_posix() for path in others]


@pytest.mark.parametrize("folder", LANGUAGES)
def test_the_code_on_the_pages_runs_and_its_examples_are_true(folder: str) -> None:
    assert code_of_the_road(folder)["ConnectFour"]


@pytest.mark.parametrize(("path", "listing"), files())
def test_the_linked_files_hold_what_their_pages_show(path: Path, listing: str) -> None:
    assert path.read_text(encoding="utf-8") == listing


def test_the_pictures_show_what_is_so() -> None:
    for name, drawing in drawings().items():
        assert (PICTURES / name).read_text(encoding="utf-8") == drawing


@pytest.mark.parametrize("page", ROAD)
def test_a_page_promises_the_minutes_that_it_takes(page: str) -> None:
    assert promised(page) == round(minutes(page))
    assert {promised(translation) for translation in translations(page)} == {promised(page)}


@pytest.mark.parametrize("page", [TEACHING, *translations(TEACHING)])
def test_the_plans_for_a_class_have_the_minutes_of_each_page(page: str) -> None:
    rows = re.findall(r"^\|[^|]*\|((?: \d+ \|){10})$", text(page), re.MULTILINE)
    _, usual, slow = [[int(number) for number in re.findall(r"\d+", row)] for row in rows]
    assert usual == [round(minutes(page)) for page in ROAD]
    assert slow == [round(minutes(page, SLOWLY_TYPED)) for page in ROAD]


@pytest.mark.parametrize("folder", LANGUAGES)
def test_the_first_four_pages_take_about_an_hour(folder: str) -> None:
    taken = [minutes(page) for page in pages(folder)]
    assert sum(taken[:4]) <= 65
    assert max(taken[4:6]) <= 25
    assert sum(taken[6:]) <= 60


@pytest.mark.parametrize("page", [THEORY, *translations(THEORY), TEACHING, *translations(TEACHING)])
def test_the_code_on_other_pages_runs_and_its_examples_are_true(page: str) -> None:
    names: dict[str, Any] = {"__name__": __name__}
    for block in blocks(page):
        if block.file is None:
            run_block(block, names)
    assert len(names) > 1, "something has run"


class _WithoutWords(ast.NodeTransformer):
    """Leaves out docstrings, what is said to people, and how things are called, but not which."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def _numbered(self, name: str) -> str:
        return self.names.setdefault(name, f"name{len(self.names)}")

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._numbered(node.id), node.ctx)

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        return ast.Attribute(self.visit(node.value), self._numbered(f".{node.attr}"), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        annotation = node.annotation and self.visit(node.annotation)
        return ast.arg(self._numbered(node.arg), annotation)

    def visit_keyword(self, node: ast.keyword) -> ast.keyword:
        return ast.keyword(node.arg and self._numbered(node.arg), self.visit(node.value))

    def visit_alias(self, node: ast.alias) -> ast.alias:
        return ast.alias(self._numbered(node.name))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self._numbered(node.name)
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.name = self._numbered(node.name)
        return self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        is_sentence = isinstance(node.value, str) and re.search("[a-z]{2}", node.value)
        return ast.Constant("") if is_sentence else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        values = [value for value in node.values if isinstance(value, ast.FormattedValue)]
        return ast.Set([self.visit(value.value) for value in values] or [ast.Constant("")])


def code_without_words(page: str) -> list[str]:
    codes = []
    without_words = _WithoutWords()
    for block in blocks(page):
        if block.kind == "python":
            examples = doctest.DocTestParser().get_examples(block.text)
            code = "".join(example.source for example in examples) or block.code
            code = f"class Ours:\n{code}" if code.startswith(" ") else code
            codes.append(ast.unparse(without_words.visit(ast.parse(code))))
    return codes


@pytest.mark.parametrize("page", [*ROAD, THEORY, TEACHING])
def test_all_languages_show_the_same_code(page: str) -> None:
    assert translations(page)
    for translation in translations(page):
        assert code_without_words(translation) == code_without_words(page)


@pytest.mark.parametrize("folder", LANGUAGES)
def test_no_page_is_left_out_of_the_index(folder: str) -> None:
    index = text(f"{folder}/WRITE-YOUR-OWN.md")
    links = re.findall(r"\]\((write-your-own/\d+-[\w-]+\.md)\)", index)
    assert [f"{folder}/{link}" for link in links] == pages(folder)


# What the judge says, and how games end


def shown_by_commands(folder: str) -> list[Step]:
    """What stands below a command."""
    return [
        step
        for step in steps(folder)
        if step.block.kind == "" and step.before is not None and step.before.kind == "sh"
    ]


def command_above(step: Step) -> list[str]:
    assert step.before is not None
    return step.before.text.split()


@cache
def reports(
    code: str, others: tuple[tuple[str, str], ...], only: tuple[str, ...]
) -> list[FunctionReport]:
    with TemporaryDirectory() as folder:
        for name, other in others:
            (Path(folder) / name).write_text(other, encoding="utf-8")
        judged = check(
            Path(folder), code, max_boards_if_wrong=MAX_BOARDS, only=only, finds_causes=True
        )
        return list(judged.values())


def said_by_the_judge(step: Step, english: Step, command: list[str]) -> str:
    """The lines on each function; what is judged is the English file, whose code is the same."""
    name = command[command.index("check") + 1]
    only = (command[command.index("--only") + 1],) if "--only" in command else FUNCTION_NAMES
    others = tuple((other, code) for other, code in english.files.items() if other != name)
    texts = texts_in(LANGUAGES[step.page.partition("/")[0]], Path(name))
    judged = reports(english.files[name], others, only)
    return "\n".join(line for report in judged for line in texts.lines(report))


def played(
    step: Step, command: list[str], once: dict[str, list[Game]], monkeypatch: pytest.MonkeyPatch
) -> str:
    """What a command for the terminal shows; a contest is played `once`, for all languages."""

    def told(program: Program, opponent: Opponent, seed: int | None) -> list[Game]:
        if opponent.name not in once:
            once[opponent.name] = [*games(program, opponent, seed)]
        return once[opponent.name]

    shown = io.StringIO()
    language = LANGUAGES[step.page.partition("/")[0]]
    with TemporaryDirectory() as folder, monkeypatch.context() as patch:
        for name, code in step.files.items():
            (Path(folder) / name).write_text(code, encoding="utf-8")
        patch.chdir(folder)
        patch.setattr("engine.terminal.contest.games", told)
        patch.setattr("engine.__main__.TimeLimits", HASTY)
        patch.setattr("sys.stdout", shown)
        patch.setattr("sys.stdin", io.StringIO(""))
        main([*command, "--language", language])
    return shown.getvalue()


def assert_shows(shown: str, expected: str) -> None:
    """All expected lines are shown, in their order; `...` stands for any text."""
    parts = re.split(r"\s*\.\.\.\s*", expected.strip())
    pattern = ".*?".join(re.escape(part) for part in parts)
    assert re.search(pattern, shown, re.DOTALL), f"{expected}\n--- is not in ---\n{shown}"


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(
            number, marks=[pytest.mark.slow] if step.page in SLOW_PAGES else [], id=step.page[18:]
        )
        for number, step in enumerate(shown_by_commands("en"))
        if command_above(step)[:3] == ENGINE
    ],
)
def test_the_pages_show_what_their_commands_do(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    english = shown_by_commands("en")[number]
    once: dict[str, list[Game]] = {}
    for folder in LANGUAGES:
        step = shown_by_commands(folder)[number]
        command = command_above(step)
        assert command[:3] == ENGINE
        if "check" in command:
            shown = said_by_the_judge(step, english, command)
        else:
            shown = played(step, command[3:], once, monkeypatch)
        assert_shows(shown, step.block.text)


@pytest.mark.parametrize("folder", LANGUAGES)
def test_the_class_plays_the_game_that_its_page_shows(folder: str, tmp_path: Path) -> None:
    (step,) = [
        step for step in shown_by_commands(folder) if command_above(step) == ["python3", "game.py"]
    ]
    (tmp_path / "game.py").write_text(step.files["game.py"], encoding="utf-8")
    typed = re.findall(r": (\w)$", step.block.text, re.MULTILINE)
    seed = "import random, runpy; random.seed(5); runpy.run_path('game.py', run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-c", seed],
        input="\n".join(typed),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    echoed = re.sub(r": \w\n", ": ", step.block.text)
    assert [line.rstrip() for line in done.stdout.splitlines()] == [
        line.rstrip() for line in echoed.splitlines()
    ]


def test_a_winner_without_the_second_diagonal_is_to_blame_for_the_others(tmp_path: Path) -> None:
    *_, step = (
        step for step in steps("en") if step.page == WINNER and "def utility" in step.block.text
    )
    forgetful = changed(step.files["tictactoe.py"], (LAST_LINE, ""))
    judged = check(tmp_path, forgetful, only=("winner", "terminal", "utility"))
    assert sorted(count for _, count in judged["winner"].findings.values()) == [50, 83]
    for name in ("terminal", "utility"):
        assert judged[name].reason is UnjudgedReason.DEPENDS
        assert judged[name].depends_on == ("winner",)


def test_the_diagonal_that_reads_a_column_is_named(tmp_path: Path) -> None:
    *_, step = (step for step in steps("en") if "def second_diagonal" in step.block.text)
    wrong = changed(step.files["tictactoe.py"], (LAST_LINE, ""))
    wrong += "\n\ndef winner(board):\n    return "
    wrong += "check_rows([*board, *zip(*board), first_diagonal(board), second_diagonal(board)])\n"
    wrong += "\n\ndef first_diagonal(board):\n    return [board[i][i] for i in range(3)]\n"
    judged = check(tmp_path, wrong, only="winner")
    assert sorted(count for _, count in judged["winner"].findings.values()) == [50, 83]
    assert judged["winner"].hint is not None
    assert judged["winner"].hint.was == "(0, 2), (1, 1), (2, 0)"


def test_an_action_off_the_board_is_the_first_that_the_judge_shows(tmp_path: Path) -> None:
    *_, step = (step for step in steps("en") if step.page == BOARD)
    trusting = re.sub(
        r"    if action not in actions\(board\):\n        raise .*\n",
        "",
        step.files["tictactoe.py"],
    )
    judged = check(tmp_path, trusting, max_boards_if_wrong=FEW_BOARDS, only="result")
    first = judged["result"].faults_first[0][0]
    assert (first.kind, first.action) == (FindingKind.ALLOWS_INVALID, "(-1, 0)")


@pytest.mark.parametrize("folder", LANGUAGES)
def test_the_first_page_praises_as_many_wins_as_it_shows(folder: str) -> None:
    page = text(FIRST_WIN.replace("en/", f"{folder}/"))
    shown = re.findall(r"^child +(\d+)", page, re.MULTILINE)
    praised = re.findall(r"^\*\*(\d+) ", page, re.MULTILINE)
    assert praised == shown[:1]
    assert Level.CHILD.sees_win == 0.4, "four times in ten, as it says"


# Minimax


def test_the_judge_reports_the_mistake_that_the_page_describes(tmp_path: Path) -> None:
    wrong_file, right_file = listings(MINIMAX, "first_try.py")
    minimax = check(tmp_path, wrong_file, max_boards=MAX_BOARDS, only="minimax")["minimax"]
    for folder, code in LANGUAGES.items():
        page = MINIMAX.replace("en/", f"{folder}/")
        shown = "\n".join(texts_in(code, Path("first_try.py")).lines(minimax))
        (expected,) = (
            block.text
            for block in blocks(page)
            if re.match(r"minimax .* \.\.\.\n +minimax", block.text)
        )
        assert_shows(shown, expected)
    mended = check(tmp_path, right_file, max_boards=MAX_BOARDS, only="minimax")
    assert mended["minimax"].boards_checked == MAX_BOARDS
    assert not any(report.is_wrong for report in mended.values())


def test_the_file_with_the_answers_to_all_exercises_is_right(tmp_path: Path) -> None:
    *_, step = (step for step in steps("en") if step.page == MINIMAX)
    code = step.files["tictactoe.py"]
    judged = check(tmp_path, code, max_boards=FEW_BOARDS)
    assert set(judged) == {"", *FUNCTION_NAMES}
    assert not any(report.is_wrong for report in judged.values())


def test_keeping_only_what_is_better_than_a_loss_leaves_632_positions_without_a_move() -> None:
    def move(board: Board) -> Cell | None:
        best, action = -1, None
        sign = 1 if board.to_move is Mark.X else -1
        for cell in board.actions():
            if sign * TRUTH[board.result(cell)][0] > best:
                best, action = sign * TRUTH[board.result(cell)][0], cell
        return action

    without_a_move = sum(move(board) is None for board in UNFINISHED)
    assert (without_a_move, len(UNFINISHED), len(REACHABLE)) == (632, 4_520, 5_478)
    for folder, code in LANGUAGES.items():
        language = language_named(code)
        assert language is not None
        page, index = MINIMAX.replace("en/", f"{folder}/"), f"{folder}/WRITE-YOUR-OWN.md"
        assert "632" in text(page)
        assert language.number(4_520) in text(page)
        assert language.number(5_478) in text(index)


# Any game


def test_the_game_in_one_file_plays_itself(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = listings(ANY_GAME, "any_game.py")
    run_file(changed(code, ("[[0] * 3 for _ in range(3)]", "[[1, -1, 0], [0, 1, 0], [0, 0, -1]]")))
    shown = capsys.readouterr().out
    assert shown.startswith("['X', 'O', ' ']\n['X', 'X', ' ']\n[' ', ' ', 'O']\n-----")
    assert shown.endswith("['X', 'O', 'O']\n['X', 'X', 'X']\n[' ', ' ', 'O']\n" + "-" * 15 + "\n")


def test_the_generic_pair_finds_the_value_of_every_position() -> None:
    with modules({"any_game.py": listings(ANY_GAME, "any_game.py")[0]}):
        any_game = import_module("any_game")
        max_value, min_value = any_game.max_value, any_game.min_value

        def branch(board: Board) -> list[Board]:
            return [board.result(cell) for cell in board.actions()]

        for board in [board for board in REACHABLE if board.plies >= 5]:
            value = max_value if board.to_move is Mark.X else min_value
            assert value(board, branch, lambda end: end.utility) == TRUTH[board][0]


@pytest.mark.parametrize("page", [ANY_GAME, *translations(ANY_GAME)])
def test_the_types_are_right(page: str, tmp_path: Path) -> None:
    (typed,) = listings(page, "any_game.py")
    (tmp_path / "any_game.py").write_text(typed, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "any_game.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_leaving_a_multiple_of_four_wins_nim() -> None:
    nim = code_of_the_road()["Nim"]
    for counters in range(1, 13):
        assert search(nim(counters)).utility == (1 if counters % 4 else -1)
        assert search(nim(counters)).best_actions[0] == (counters % 4 or 1)


def test_connect_four_is_searched_to_its_end() -> None:
    connect_four = code_of_the_road()["ConnectFour"]
    assert search(connect_four(("xox", "oxo", "xo", "")), memory=True).utility == 0
    assert search(connect_four(("xxx", "ooo", "", ""))).distance_plies == 1


# What it costs


def calls_of_result(code: str) -> int:
    """How often the `minimax` of a file calls `result` for the empty board."""
    names = run_file(code)
    result = names["result"]
    calls = []

    def counted(board: object, action: object) -> object:
        calls.append(action)
        return result(board, action)

    names["result"] = counted
    names["minimax"](names["initial_state"]())
    return len(calls)


def pruned() -> Step:
    """The step of the page on alpha-beta that brings its ten lines."""
    *_, step = (step for step in steps("en") if "alpha" in step.block.text and step.block.is_code)
    assert step.page == ALPHA_BETA
    return step


def test_alpha_beta_is_a_change_of_ten_lines() -> None:
    assert len(re.findall(r"  # (?:new|changed)$", pruned().block.text, re.MULTILINE)) == 10


def test_the_calls_in_the_answers_on_alpha_beta_are_counted() -> None:
    code = pruned().files["tictactoe.py"]
    counts = [
        calls_of_result(changed(code, ("alpha >= beta", "alpha > beta"))),
        calls_of_result(changed(code, ("alpha=-math.inf, beta=math.inf", "alpha=-1, beta=1"))),
        calls_of_result(code),
    ]
    for folder, terminal in LANGUAGES.items():
        language = language_named(terminal)
        assert language is not None
        page = text(ALPHA_BETA.replace("en/", f"{folder}/"))
        for count in counts:
            assert language.number(count).replace("\u202f", " ") in page


def test_the_visits_on_the_page_are_right() -> None:
    taught = [
        as_taught(Board()),
        as_taught(Board(), -1, 1),
        as_taught(Board(), cuts_at_equal=False),
    ]
    expected = [*(len(visits) for _, visits in taught), search(Board()).nodes]
    for page in (ALPHA_BETA, *translations(ALPHA_BETA)):
        rows = re.findall(r"^\| .* \| ([\d.,\u202f]+) \|$", text(page), re.MULTILINE)
        assert [int(re.sub(r"\D", "", row)) for row in rows] == expected


@pytest.mark.slow
def test_bounds_that_are_collected_are_the_cause_that_the_page_names(tmp_path: Path) -> None:
    *_, step = (step for step in steps("en") if step.block.file == "wrong_choice.py")
    (tmp_path / "own.py").write_text(step.files["tictactoe.py"], encoding="utf-8")
    code = changed(step.files["wrong_choice.py"], ("from tictactoe import", "from own import"))
    minimax = check(tmp_path, code, only="minimax")["minimax"]
    assert any(finding.is_game for finding, _ in minimax.faults_first)
    assert minimax.hint == Hint(Cause.BOUNDS_AT_ROOT)


@pytest.mark.slow
def test_a_depth_of_two_is_the_cause_that_the_page_names(tmp_path: Path) -> None:
    (code,) = listings(DEPTH, "limited.py")
    minimax = check(tmp_path, code, only="minimax")["minimax"]
    assert minimax.hint == Hint(Cause.WINS_AND_BLOCKS, was="2")


def test_keeping_only_what_is_better_than_a_loss_is_recognised(tmp_path: Path) -> None:
    (code,) = listings(MINIMAX, "finished.py")
    right = "best_value = -math.inf\n        for"
    assert code.count(right) == 1
    code = code.replace(right, right.replace("-math.inf", "-1"))
    minimax = check(tmp_path, code, free_cells=3, only="minimax")["minimax"]
    assert minimax.hint is not None
    assert (minimax.hint.cause, minimax.hint.was) == (Cause.FIRST_VALUE, "-1")


def functions(code: str) -> dict[str, str]:
    """The functions of a file, without their docstrings, by name."""
    found = [node for node in ast.parse(code).body if isinstance(node, ast.FunctionDef)]
    for node in found:
        node.body = node.body[1:] if ast.get_docstring(node) else node.body
    return {node.name: ast.unparse(node) for node in found}


def test_the_code_of_the_first_four_pages_is_the_finished_file() -> None:
    (skeleton,) = listings(FIRST_WIN, "tictactoe.py")
    typed = {"initial_state": functions(skeleton)["initial_state"]}
    for page in ROAD[:4]:
        for found in BLOCK.findall(shown_of(page)):
            if Block(*found).is_code:
                typed |= functions(Block(*found).text)
    del typed["second_diagonal"]
    assert typed == functions(listings(MINIMAX, "finished.py")[0])


def test_the_finished_file_is_right(tmp_path: Path) -> None:
    (code,) = listings(MINIMAX, "finished.py")
    judged = check(tmp_path, code, max_boards=FEW_BOARDS)
    assert set(judged) == {"", *FUNCTION_NAMES}
    assert not any(report.is_wrong for report in judged.values())


def test_a_return_inside_the_loop_is_named(tmp_path: Path) -> None:
    (code,) = listings(MINIMAX, "finished.py")
    right = "value, max_value(result(board, action)))\n    return"
    code = changed(code, (right, right.replace("    return", "        return")))
    minimax = check(tmp_path, code, free_cells=3, only="minimax")["minimax"]
    assert minimax.hint is not None
    assert (minimax.hint.cause, minimax.hint.was) == (Cause.RETURN_IN_LOOP, "return best_value")


def test_a_missing_undo_is_found_in_the_class(tmp_path: Path) -> None:
    (game,) = listings(UNDO, "game.py")
    wrong = changed(
        game, ("            self.undo_move(move)\n        return max", "        return max")
    )
    (tmp_path / "game.py").write_text(wrong, encoding="utf-8")
    (wrapper,) = listings(UNDO, "game_wrapped.py")
    minimax = check(tmp_path, wrapper, free_cells=4, only="minimax")["minimax"]
    assert minimax.is_wrong
    assert minimax.hint is None, "what is wrong isn't in this file"


def test_a_choice_among_what_bounds_call_equal_is_wrong(tmp_path: Path) -> None:
    (wrong,) = listings(ALPHA_BETA, "wrong_choice.py")
    wrong = changed(wrong, ("from tictactoe import", "from own import"))
    (tmp_path / "own.py").write_text(pruned().files["tictactoe.py"], encoding="utf-8")
    assert check(tmp_path, wrong, max_boards=3 * MAX_BOARDS, only="minimax")["minimax"].is_wrong
    first = changed(wrong, ("random.choice(", "next(iter("), ("== best])", "== best]))"))
    judged = check(tmp_path, first, max_boards=3 * MAX_BOARDS, only="minimax")
    assert not judged["minimax"].is_wrong


@pytest.mark.parametrize("folder", LANGUAGES)
def test_alpha_beta_over_states_plays_itself_to_a_draw(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = listings(ALPHA_BETA.replace("en/", f"{folder}/"), "alphabeta.py")
    run_file(code)
    shown = capsys.readouterr().out
    assert shown.count("\n\n") == 10, "the board at first, and after each move"
    page = ALPHA_BETA.replace("en/", f"{folder}/")
    assert shown in [block.text for block in blocks(page)]


def test_the_answers_with_a_second_file_are_right(tmp_path: Path) -> None:
    (states,) = listings(ALPHA_BETA, "alphabeta.py")
    (wrapper,) = listings(ALPHA_BETA, "alphabeta_wrapped.py")
    (tmp_path / "alphabeta.py").write_text(states, encoding="utf-8")
    judged = check(tmp_path, wrapper, max_boards=MAX_BOARDS, only="minimax")["minimax"]
    assert judged.boards_checked == MAX_BOARDS
    assert not judged.is_wrong


def test_the_memory_holds_every_unfinished_board_but_the_first() -> None:
    names = run_file(listings(DEPTH, "memory.py")[0])
    names["minimax"](names["initial_state"]())
    assert len(names["known"]) == len(UNFINISHED) - 1 == 4_519
    for page in (DEPTH, *translations(DEPTH)):
        assert re.search(r"^4[,.]?519\b", text(page), re.MULTILINE)


@pytest.mark.slow
def test_six_is_the_first_depth_at_which_the_estimate_does_no_harm(tmp_path: Path) -> None:
    (code,) = listings(DEPTH, "limited.py")
    for depth, is_wrong in ((5, True), (6, False)):
        deeper = changed(code, ("DEPTH = 2", f"DEPTH = {depth}"))
        assert check(tmp_path, deeper, only="minimax")["minimax"].is_wrong is is_wrong


def test_a_memory_of_sooner_wins_leaves_no_remarks(tmp_path: Path) -> None:
    (code,) = listings(DEPTH, "soonest.py")
    judged = check(tmp_path, code, only="minimax")["minimax"]
    assert judged.boards_checked == len(REACHABLE)
    assert not judged.findings


def test_deepening_ends_with_the_last_depth_or_with_the_time() -> None:
    depths: list[int] = []

    def choose(_board: object, depth: int) -> int:
        depths.append(depth)
        return depth

    board = [["X", "O", "X"], ["O", "O", "X"], [None, None, None]]
    choose_in_time = code_of_the_road()["choose_in_time"]
    assert choose_in_time(board, choose, seconds=60) == 3
    assert choose_in_time(board, choose, seconds=-1) == 1
    assert depths == [1, 2, 3, 1]


# Other pages


@pytest.mark.parametrize("folder", LANGUAGES)
def test_the_page_names_all_eight_functions(folder: str) -> None:
    for name in FUNCTION_NAMES:
        page = SHAPES.replace("en/", f"{folder}/")
        assert re.search(rf"^\| `{name}\(.*\)` \|", text(page), re.MULTILINE)


def graded(folder: Path, code: str) -> Any:
    """What the recipe writes about a student's file."""
    (recipe,) = listings(TEACHING, "autograder.py")
    (folder / "autograder.py").write_text(recipe, encoding="utf-8")
    (folder / "tictactoe.py").write_text(code, encoding="utf-8")
    (folder / "velha").symlink_to(ROOT)
    given = {
        name: name.lower()
        for name in ("CLASSROOM", "ASSIGNMENT", "USERNAME", "COMMIT_URL", "RELEASE_URL")
    }
    subprocess.run(
        [sys.executable, "autograder.py"],
        cwd=folder,
        env=os.environ | given | {"SUBMISSION_TAG": "submit/now"},
        check=True,
        timeout=300,
    )
    return json.loads((folder / "result.json").read_text(encoding="utf-8"))


def test_a_class_is_graded_with_a_line_for_each_student(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (skeleton,) = listings(FIRST_WIN, "tictactoe.py")
    for student, code in {"ana": skeleton, "ben": OURS}.items():
        (tmp_path / student).mkdir()
        (tmp_path / student / "tictactoe.py").write_text(code, encoding="utf-8")
    assert main(["check", str(tmp_path), "--own", "--language", "en"]) == 1
    ana, unwritten, ben, forbidden = capsys.readouterr().out.splitlines()
    assert [ana, ben] == ["ana   1   initial_state", "ben   0"]
    assert unwritten == "    player: It isn't written yet."
    assert forbidden.startswith("    tictactoe.py imports engine.tictactoe (tictactoe.py:1), which")


def test_the_recipe_writes_a_result_of_classroom_50(tmp_path: Path) -> None:
    (skeleton,) = listings(FIRST_WIN, "tictactoe.py")
    (player, _) = [b.text for b in blocks(BOARD) if b.text.startswith("def player")]
    result = graded(tmp_path, changed(skeleton, ("initial_state", "start")) + player)
    assert (result["schema"], result["owner"]) == ("classroom50/result/v1", "username")
    assert (result["score"], result["max-score"]) == (2, 9)
    assert {test["test-name"] for test in result["tests"] if test["passed"]} == {"file", "player"}
    for test in result["tests"]:
        assert 0 <= test["score"] <= test["max-score"]


@pytest.mark.parametrize(
    "code",
    [
        OURS,
        "import sys\nsys.path.insert(0, 'velha')\n" + OURS,
    ],
)
def test_the_recipe_gives_no_points_for_our_own_program(tmp_path: Path, code: str) -> None:
    assert graded(tmp_path, code)["score"] == 0
