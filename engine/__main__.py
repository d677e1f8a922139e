"""The command line: play in the terminal, compare searches, or check your own program."""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import sys
import unicodedata
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from engine.board import Board
from engine.check.checks import FUNCTION_NAMES
from engine.check.finding import FindingError
from engine.check.runner import TimeLimits, learner_player
from engine.grid import Mark
from engine.lessons import depth_within_reach
from engine.levels import Level
from engine.record import GAMES
from engine.rules import TIC_TAC_TOE, Rules
from engine.terminal.check_json import check_as_json
from engine.terminal.check_report import print_report
from engine.terminal.check_texts import CheckTexts
from engine.terminal.language import LANGUAGES, N_, Language, language_named, language_of
from engine.terminal.playing import (
    SEARCHES,
    Choice,
    Player,
    QuitError,
    TerminalGame,
    level_player,
    read_line,
    review,
    wants_to_play_again,
)
from engine.terminal.texts import TerminalTexts
from engine.terminal.tree_drawing import MAX_DRAWN_NODES, tree_lines
from engine.tree import game_tree, size_of_tree
from engine.variants import VARIANTS

# Translators, from here on: said in a terminal: of an option in the help, or why what was typed
# cannot be. Words that are typed, such as 3x3x3 or --seconds, stay as they are.
_VARIANT_NAMES = " / ".join(sorted(rules.name for rules in VARIANTS.values()))
_EXAMPLE_POSITION = "xo. xxo ..o"


def main(arguments: Sequence[str] | None = None) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # shows "?" for what it cannot encode
    arguments = sys.argv[1:] if arguments is None else arguments
    language = _choose_language(arguments)
    parser = _build_parser(language)
    options = parser.parse_args(arguments)
    if options.play is not None and options.board != TIC_TAC_TOE:
        parser.error(language.say(N_("--play is for {board} only"), board=TIC_TAC_TOE.name))
    try:
        return _run(options, language)
    except (QuitError, KeyboardInterrupt):
        print("\n" + language.say(N_("Goodbye!")))
    except BrokenPipeError:  # the reader, such as head, has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    is_interrupted_check = options.check is not None
    return 1 if is_interrupted_check else 0


def _run(options: argparse.Namespace, language: Language) -> int:
    if options.check is not None:
        return 0 if _check(options, language) else 1
    if options.play is not None:
        return _play_learner(options, TerminalTexts(language))
    if options.tree is not None:
        print("\n".join(tree_lines(game_tree(options.tree), language)))
        return 0
    rng = random.Random(options.seed)
    level = level_player(Level[options.level.upper()], rng)
    computer = SEARCHES[options.search] if options.search else level
    _play(options, TerminalTexts(language), computer, options.first or "random", rng)
    return 0


def _check(options: argparse.Namespace, language: Language) -> bool:
    """Check a learner's file and print the report; return whether nothing is wrong."""
    limits = TimeLimits(function=options.seconds)
    if not options.json:
        return print_report(options.check, limits, language, only=options.only)
    report = check_as_json(options.check, limits, language, only=options.only)
    print(json.dumps(report, ensure_ascii=False, indent=2))
    return all(result["passed"] for result in report["results"])


def _choose_language(arguments: Sequence[str]) -> Language:
    """The language; it comes first because the parser of all options needs it for its texts."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--language", type=language_named)
    return parser.parse_known_args(arguments)[0].language or language_of(os.environ)


def _build_parser(language: Language) -> argparse.ArgumentParser:
    say = language.say
    parser = argparse.ArgumentParser(
        prog="python3 -m engine",
        description=say(
            N_("Play tic-tac-toe, watch the engine think, or have your own program checked.")
        ),
        add_help=False,
    )
    _add_play_options(parser.add_argument_group(say(N_("to play"))), language)
    _add_learn_options(parser.add_argument_group(say(N_("to learn"))), language)
    other = parser.add_argument_group(say(N_("other options")))
    languages = N_("the language: {languages}; default: your system's")
    other.add_argument(
        "--language",
        type=lambda text: _parse_language(text, language),
        help=say(languages, languages=language.items(LANGUAGES)),
    )
    other.add_argument("-h", "--help", action="help", help=say(N_("show this help and exit")))
    return parser


def _add_play_options(group: argparse._ArgumentGroup, language: Language) -> None:
    say = language.say
    games = N_("columns, rows, and how many in a row win, from 3x3x3 to 5x5x5; {others}")
    group.add_argument(
        "--board",
        type=lambda text: _parse_rules(text, language),
        default="3x3x3",
        metavar="CxRxK",
        help=say(games, others=_VARIANT_NAMES),
    )
    levels = [level.name.lower() for level in Level]
    level_help = say(N_("how well I play"))
    group.add_argument("--level", choices=levels, default="impossible", help=level_help)
    search_help = say(N_("choose my moves by this search, and count its visits"))
    group.add_argument("--search", choices=[*SEARCHES], help=search_help)
    first_help = say(N_("who plays X"))
    group.add_argument("--first", choices=["me", "ai", "random"], help=first_help)
    group.add_argument("--self-play", action="store_true", help=say(N_("I play both sides")))
    group.add_argument("--hint", action="store_true", help=say(N_("show what each move is worth")))
    group.add_argument("--review", action="store_true", help=say(N_("judge the moves at the end")))
    group.add_argument("--seed", type=int, help=say(N_("make my choices repeatable")))


def _add_learn_options(group: argparse._ArgumentGroup, language: Language) -> None:
    say = language.say
    tree = N_("draw a game tree; a position is written like this: {position}")
    group.add_argument(
        "--tree",
        nargs="?",
        const=_EXAMPLE_POSITION,
        type=lambda text: _parse_position(text, language),
        metavar=say(N_("POSITION")),
        help=say(tree, position=repr(_EXAMPLE_POSITION)),
    )
    group.add_argument("--watch", action="store_true", help=say(N_("show what each search costs")))
    group.add_argument(
        "--check",
        type=lambda text: _parse_file(text, language),
        metavar=say(N_("FILE")),
        help=say(N_("check your own tictactoe.py; docs/WRITE-YOUR-OWN.md shows how")),
    )
    group.add_argument(
        "--only",
        type=lambda text: _parse_function(text, language),
        metavar=say(N_("FUNCTION")),
        help=say(N_("check this function alone")),
    )
    group.add_argument("--json", action="store_true", help=say(N_("the report as JSON")))
    group.add_argument(
        "--play",
        type=lambda text: _parse_file(text, language),
        metavar=say(N_("FILE")),
        help=say(N_("play against the minimax of your own tictactoe.py")),
    )
    seconds = N_("the most seconds --check spends on each function (default: {n})")
    group.add_argument(
        "--seconds",
        type=float,
        default=TimeLimits().function,
        metavar="N",
        help=say(seconds, n=f"{TimeLimits().function:g}"),
    )


def _parse_rules(text: str, language: Language) -> Rules:
    rules_by_name = {rules.name: rules for rules in GAMES.values()}
    rules = rules_by_name.get(_without_accents(text))
    if rules is None:
        unknown = N_(
            '"{typed}" isn\'t a game I know: type 3x3x3 to 5x5x5 (columns, rows, how many in a '
            "row win), {others}"
        )
        raise argparse.ArgumentTypeError(language.say(unknown, typed=text, others=_VARIANT_NAMES))
    return rules


def _without_accents(text: str) -> str:
    letters = unicodedata.normalize("NFD", text.lower())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _parse_position(text: str, language: Language) -> Board:
    try:
        board = Board.parse(text)
    except ValueError:
        invalid = N_('"{typed}" isn\'t a position of 3x3: type three rows, such as "{position}"')
        message = language.say(invalid, typed=text, position=_EXAMPLE_POSITION)
        raise argparse.ArgumentTypeError(message) from None
    if (size := size_of_tree(board)) > MAX_DRAWN_NODES:
        message = language.ngettext(
            "this tree has {n} position, and I draw {most} at most: fill more cells",
            "this tree has {n} positions, and I draw {most} at most: fill more cells",
            size,
            most=language.number(MAX_DRAWN_NODES),
        )
        raise argparse.ArgumentTypeError(message)
    return board


def _parse_file(text: str, language: Language) -> Path:
    path = Path(text)
    if not path.is_file():
        raise argparse.ArgumentTypeError(language.say(N_('there\'s no file "{typed}"'), typed=text))
    return path


def _parse_function(text: str, language: Language) -> str:
    if text in FUNCTION_NAMES:
        return text
    names = language.items(FUNCTION_NAMES)
    if close := get_close_matches(text.lower(), FUNCTION_NAMES, n=1):
        misspelt = N_('there\'s no function "{typed}": did you mean {name}? There are {names}')
        message = language.say(misspelt, typed=text, name=close[0], names=names)
    else:
        unknown = N_('there\'s no function "{typed}", only {names}')
        message = language.say(unknown, typed=text, names=names)
    raise argparse.ArgumentTypeError(message)


def _parse_language(text: str, language: Language) -> Language:
    chosen = language_named(text)
    if chosen is None:
        unknown = N_('I don\'t speak "{typed}", only {languages}')
        message = language.say(unknown, typed=text, languages=language.items(LANGUAGES))
        raise argparse.ArgumentTypeError(message)
    return chosen


def _play_learner(options: argparse.Namespace, texts: TerminalTexts) -> int:
    """Play against a learner's `minimax`; the exit code is 1 if its file fails."""
    limits = TimeLimits(call=options.seconds)
    first = options.first or ("random" if options.self_play else _choose_first(texts))
    try:
        with learner_player(options.play, limits) as choose:
            rng = random.Random(options.seed)
            _play(options, texts, lambda board: Choice(choose(board)), first, rng)
    except FindingError as error:
        finding = error.finding
        name = "minimax" if finding.board else ""
        print(CheckTexts(options.play, limits, texts.language).message(name, finding))
        print(texts.language.say(N_("--check says more.")))
        return 1
    return 0


def _choose_first(texts: TerminalTexts) -> str:
    """Ask the person for a mark until it is one; X moves first."""
    while True:
        typed = read_line(texts.language.say(N_("Are you X or O? "))).upper()
        if typed in {"X", "O"}:
            return "me" if typed == "X" else "ai"


def _play(
    options: argparse.Namespace,
    texts: TerminalTexts,
    computer: Player,
    first: str,
    rng: random.Random,
) -> None:
    """Play games until the person declines another."""
    first = rng.choice(["me", "ai"]) if first == "random" else first
    person = Mark.X if first == "me" else Mark.O
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
