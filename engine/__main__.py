"""The command line: play in the terminal, compare searches, or check your own program."""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from engine.board import Board, Mark
from engine.check.checks import FUNCTION_NAMES
from engine.check.finding import Finding, FindingError
from engine.check.learner import TimeLimits
from engine.check.runner import learner_player
from engine.lessons import depth_within_reach
from engine.levels import Level
from engine.terminal.check_json import check_as_json
from engine.terminal.check_report import print_report
from engine.terminal.check_texts import CheckTexts
from engine.terminal.contest import Program, print_contest
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
from engine.terminal.options import choose_language, parse_options
from engine.terminal.tree import step_lines, tree_lines


# Translators, from here on: said in a terminal, before a game or after it.
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # shows "?" for what it cannot encode
    arguments = sys.argv[1:] if arguments is None else arguments
    language = choose_language(arguments)
    options = parse_options(arguments, language)
    try:
        return _run(options, language)
    except (QuitError, KeyboardInterrupt):
        print("\n" + language.say(N_("Goodbye!")))
    except BrokenPipeError:  # the reader, such as head, has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    is_interrupted_check = options.check is not None
    return 1 if is_interrupted_check else 0


def _run(options: argparse.Namespace, language: Language) -> int:
    """Do what the options ask for; return the exit code."""
    if options.check is not None:
        return _check(options, language)
    if options.play is not None:
        return _play_learner(options, GameTexts(language))
    if options.tree is not None:
        lines = step_lines if options.steps else tree_lines
        print("\n".join(lines(options.tree, language)))
        return 0
    rng = random.Random(options.seed)
    level = level_player(Level[options.level.upper()], rng)
    computer = SEARCHES[options.search] if options.search else level
    _play(options, GameTexts(language), computer, _choose_mark(options.first, rng))
    return 0


def _check(options: argparse.Namespace, language: Language) -> int:
    """Check a learner's file and print the report; return the exit code."""
    seconds = options.seconds
    limits = TimeLimits(call=min(seconds, TimeLimits().call), function=seconds)
    only = FUNCTION_NAMES if options.only is None else (options.only,)
    own, expects_cuts = options.own, options.expect is not None
    if expects_cuts and "minimax" not in only:
        only = (*only, "minimax")
    if not options.json:
        return print_report(
            options.check, limits, language, only=only, own=own, expects_cuts=expects_cuts
        )
    report, code = check_as_json(
        options.check, limits, language, only=only, own=own, expects_cuts=expects_cuts
    )
    print(json.dumps(report, ensure_ascii=False, indent=2))
    return code


def _play_learner(options: argparse.Namespace, texts: GameTexts) -> int:
    """Play against a learner's `minimax`; the exit code is 1 if its file fails."""
    limits = TimeLimits(call=options.seconds)
    if options.against is not None:
        return _compete(options, limits, texts.language)
    if options.first is None and not options.self_play:
        person = _ask_for_mark(texts)
    else:
        person = _choose_mark(options.first, random.Random(options.seed))
    try:
        with learner_player(options.play, limits) as choose:
            _play(options, texts, lambda board: Choice(choose(board)), person)
    except FindingError as error:
        return _report_failure(options.play, limits, error.finding, texts.language)
    return 0


def _compete(options: argparse.Namespace, limits: TimeLimits, language: Language) -> int:
    """Let a learner's program play others; the exit code is 1 if a file cannot be used."""
    program = Program(options.play, limits)
    opponents = [
        Program(opponent, limits) if isinstance(opponent, Path) else opponent
        for opponent in options.against
    ]
    with ExitStack() as stack:
        for each in (program, *opponents):
            if isinstance(each, Program):
                stack.callback(each.end)
                try:
                    each.start()
                except FindingError as error:
                    return _report_failure(each.path, limits, error.finding, language)
        print_contest(program, opponents, options.seed, language)
    return 0


def _report_failure(path: Path, limits: TimeLimits, finding: Finding, language: Language) -> int:
    """Say why a program cannot play on; return the exit code."""
    name = "minimax" if finding.board else ""
    print(CheckTexts(path, limits, language).message(name, finding))
    print(language.say(N_("--check says more.")))
    return 1


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


def _play(options: argparse.Namespace, texts: GameTexts, computer: Player, person: Mark) -> None:
    """Play games until the person declines another."""
    _warn_of_depth_limit(options, texts.language)
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


def _warn_of_depth_limit(options: argparse.Namespace, language: Language) -> None:
    """Print a warning if the chosen search cannot reach the end of the game."""
    if options.search in {None, "solver"}:
        return
    board = Board(options.board)
    depth = depth_within_reach(board)
    if depth < board.plies_left:
        warning = language.ngettext(
            "The tree is too large here: at first my search looks {n} move ahead, no further.",
            "The tree is too large here: at first my search looks {n} moves ahead, no further.",
            depth,
        )
        print(warning)


if __name__ == "__main__":
    raise SystemExit(main())
