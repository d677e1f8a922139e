"""The command line: play in the terminal, draw trees, or have your own program checked."""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from engine.board import Board, Mark
from engine.check.checks import FUNCTION_NAMES
from engine.check.command import Command, check_command
from engine.check.file import programs_in
from engine.check.finding import Finding, FindingError
from engine.check.learner import LearnerFile, TimeLimits
from engine.check.report import FunctionReport, exit_code
from engine.check.runner import check_file, learner_player
from engine.check.steps import follow
from engine.lessons import depth_within_reach
from engine.levels import Level
from engine.terminal.check_json import Json, report_as_json
from engine.terminal.check_report import print_report
from engine.terminal.check_steps import own_step_lines
from engine.terminal.check_texts import CheckTexts
from engine.terminal.command_texts import CommandTexts
from engine.terminal.contest import Program, print_contest
from engine.terminal.drawing import show_progress, show_status
from engine.terminal.folder import print_grades, print_league
from engine.terminal.game import (
    SEARCHES,
    Choice,
    Player,
    QuitError,
    TerminalGame,
    level_player,
    read_answer,
    review,
    wants_to_play_again,
)
from engine.terminal.game_texts import GameTexts
from engine.terminal.language import N_, Language
from engine.terminal.options import choose_language, command_line, parse_options
from engine.terminal.tree import step_lines, tree_lines


# Translators, from here on: said in a terminal, before a game or after it.
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # shows "?" for what it cannot encode
    language, others = choose_language(sys.argv[1:] if arguments is None else arguments)
    options = parse_options(others, language)
    try:
        return _COMMANDS[options.command](options, language)
    except (QuitError, KeyboardInterrupt):
        print("\n" + language.say(N_("Goodbye!")))
    except BrokenPipeError:  # the reader, such as head, has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    is_interrupted_check = options.command == "check"
    return 1 if is_interrupted_check else 0


def _play(options: argparse.Namespace, language: Language) -> int:
    """Play against a level, a search, or a learner's file; the exit code is 1 if that fails."""
    texts = GameTexts(language)
    rng = random.Random(options.seed)
    match options.opponent:
        case Path() as file:
            return _play_learner(file, options, texts, rng)
        case Level() as level:
            computer = level_player(level, rng)
        case search:
            computer = SEARCHES[search]
            _warn_of_depth_limit(search, options, language)
    _play_games(options, texts, computer, _choose_mark(options.first, rng))
    return 0


def _play_learner(
    file: Path, options: argparse.Namespace, texts: GameTexts, rng: random.Random
) -> int:
    limits = TimeLimits(call=options.seconds)
    try:
        with learner_player(file, limits) as choose:
            asks = options.first is None and not options.self_play
            person = _ask_for_mark(texts) if asks else _choose_mark(options.first, rng)
            _play_games(options, texts, lambda board: Choice(choose(board)), person)
    except FindingError as error:
        return _report_failure(CheckTexts(file, limits, texts.language), error.finding)
    return 0


def _ask_for_mark(texts: GameTexts) -> Mark:
    """Ask the person for a mark until it is one."""
    marks = {"X": Mark.X, "O": Mark.O}
    while True:
        typed = read_answer(texts.language.say(N_("Are you X or O? "))).upper()
        if typed in marks:
            return marks[typed]


def _choose_mark(first: str | None, rng: random.Random) -> Mark:
    """The person's mark, by the option `--first`; by default it is random."""
    if first in {None, "random"}:
        first = rng.choice(["me", "ai"])
    return Mark.X if first == "me" else Mark.O


def _play_games(
    options: argparse.Namespace, texts: GameTexts, computer: Player, person: Mark
) -> None:
    """Play games until the person declines another."""
    while True:
        player = None if options.self_play else person
        for line in texts.introduction(options.board, player):
            print(line)
        game = TerminalGame(
            texts, computer, player, shows_hints=options.hint, shows_costs=options.watch
        )
        moves = game.play(Board(options.board))
        if options.review:
            review(moves, options.board, texts)
        if options.self_play or not wants_to_play_again(texts):
            return
        person = person.other


def _warn_of_depth_limit(search: str, options: argparse.Namespace, language: Language) -> None:
    """Print a warning if a search cannot reach the end of the game."""
    board = Board(options.board)
    depth = depth_within_reach(board)
    if search != "solver" and depth < board.plies_left:
        warning = language.ngettext(
            "The tree is too large here: at first my search looks {n} move ahead, no further.",
            "The tree is too large here: at first my search looks {n} moves ahead, no further.",
            depth,
        )
        print(warning)


def _draw_tree(options: argparse.Namespace, language: Language) -> int:
    lines = step_lines if options.steps else tree_lines
    print("\n".join(lines(options.tree, language)))
    return 0


def _check(options: argparse.Namespace, language: Language) -> int:
    """Check a learner's program and print the report; return the exit code."""
    seconds = options.seconds
    limits = TimeLimits(min(seconds, TimeLimits().call), seconds, games=seconds / 2)
    if options.program is not None:
        program = Command(options.program, limits)
        judged = _Judged(check_command(program, show_progress))
        texts_of_command = CommandTexts(program.path, limits, language)
        _show_report(judged, texts_of_command, ("minimax",), options)
        return exit_code(judged.reports)
    if options.steps is not None:
        return _follow(options, limits, language)
    only = FUNCTION_NAMES if options.only is None else (options.only,)
    expects_cuts = options.expect is not None
    if expects_cuts and "minimax" not in only:
        only = (*only, "minimax")
    check = partial(
        check_file,
        limits=limits,
        progress=show_progress,
        only=only,
        own=options.own,
        expects_cuts=expects_cuts,
    )
    texts_of = partial(CheckTexts, limits=limits, language=language)
    if options.file.is_dir():
        return _check_folder(options, check, texts_of, only)
    texts = texts_of(options.file)

    def found(name: str, finding: Finding) -> None:
        show_status("")
        print(*texts.found_so_far(name, finding), sep="\n", file=sys.stderr, flush=True)

    judged = _Judged(check(options.file, found=found))
    _show_report(judged, texts, only, options)
    return exit_code(judged.reports)


def _check_folder(
    options: argparse.Namespace,
    check: Callable[..., Iterable[FunctionReport]],
    texts_of: Callable[[Path], CheckTexts],
    only: Sequence[str],
) -> int:
    """Check the programs of a folder; return the exit code for all of them together."""
    programs = programs_in(options.file)
    judged = {
        name: _Judged(check(path, finds_causes=options.json)) for name, path in programs.items()
    }
    if options.json:
        data = {
            name: report_as_json(judged[name], texts_of(path), only)
            for name, path in programs.items()
        }
        _print_json(data)
    else:
        print_grades({name: (judged[name], texts_of(path)) for name, path in programs.items()})
    return exit_code([report for each in judged.values() for report in each.reports])


class _Judged:
    """Reports, each as it comes; they are kept."""

    def __init__(self, reports: Iterable[FunctionReport]) -> None:
        self._coming = reports
        self.reports: list[FunctionReport] = []

    def __iter__(self) -> Iterator[FunctionReport]:
        for report in self._coming:
            show_status("")
            self.reports.append(report)
            yield report


def _show_report(
    judged: Iterable[FunctionReport],
    texts: CheckTexts,
    only: Sequence[str],
    options: argparse.Namespace,
) -> None:
    if options.json:
        _print_json(report_as_json(judged, texts, only))
    else:
        print_report(judged, texts, own=options.own)


def _print_json(data: Json) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=2))


def _follow(options: argparse.Namespace, limits: TimeLimits, language: Language) -> int:
    """Print the steps of a learner's `minimax` on a board; the exit code is 1 if it is wrong."""
    file = LearnerFile(options.file, limits, options.own)
    texts = CheckTexts(file.path, limits, language)
    try:
        followed = follow(file, options.steps)
    except FindingError as error:
        return _report_failure(texts, error.finding)
    print("\n".join(own_step_lines(file, followed, texts)))
    return 0 if followed.is_right else 1


def _compete(options: argparse.Namespace, language: Language) -> int:
    """Let a learner's program play others; the exit code is 1 if a file cannot be used."""
    limits, own = TimeLimits(call=options.seconds), options.own
    if options.program is not None:
        command = Command(options.program, limits)
        program = Program(command.path, limits, command.path.name, command=command)
    elif options.file.is_dir():
        programs = programs_in(options.file).items()
        print_league([Program(path, limits, name, own) for name, path in programs], language)
        return 0
    else:
        program = Program(options.file, limits, options.file.name, own)
    match options.opponent:
        case None:
            opponents: Sequence[Level | Program] = [*Level]
        case Level() as level:
            opponents = [level]
        case file:
            opponents = [Program(file, limits, file.name, own)]
    with ExitStack() as stack:
        for each in (program, *opponents):
            if isinstance(each, Program):
                stack.callback(each.close)
                try:
                    each.start()
                except FindingError as error:
                    return _report_failure(each.texts(language), error.finding)
        print_contest(program, opponents, options.seed, language)
    return 0


def _report_failure(texts: CheckTexts, finding: Finding) -> int:
    """Say why a program cannot play on; return the exit code."""
    print(texts.message("minimax" if finding.board else "", finding))
    command = command_line("check", texts.path)
    print(texts.language.say(N_("{command} says more."), command=command))
    return 1


_COMMANDS: Mapping[str, Callable[[argparse.Namespace, Language], int]] = {
    "play": _play,
    "tree": _draw_tree,
    "check": _check,
    "contest": _compete,
}


if __name__ == "__main__":
    raise SystemExit(main())
