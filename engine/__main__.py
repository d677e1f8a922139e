"""Play jogo da velha in the terminal, watch the engine think, or have your own program judged."""

from __future__ import annotations

import argparse
import io
import os
import random
import sys
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from engine.board import Board
from engine.check.runner import TimeLimits
from engine.grid import Mark
from engine.lessons import depth_within_reach
from engine.levels import Level
from engine.record import GAMES
from engine.rules import Rules
from engine.terminal.check_report import check
from engine.terminal.language import LANGUAGES, N_, Language, language_named, language_of
from engine.terminal.playing import (
    SEARCHES,
    QuitError,
    TerminalGame,
    again,
    player_of_level,
    review,
)
from engine.terminal.texts import TerminalTexts
from engine.terminal.tree_drawing import MOST_DRAWN, picture
from engine.tree import game_tree, size_of_tree
from engine.variants import VARIANTS

_OTHERS = " / ".join(sorted(rules.name for rules in VARIANTS.values()))
_TREE = "xo. xxo ..o"


def main(arguments: Sequence[str] | None = None) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # shows "?" for what it cannot encode
    arguments = sys.argv[1:] if arguments is None else arguments
    language = _language(arguments)
    options = _parser(language).parse_args(arguments)
    try:
        return _run(options, language)
    except (QuitError, KeyboardInterrupt):
        print("\n" + language.say(N_("Goodbye!")))
    except BrokenPipeError:  # the reader, such as head, has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0 if options.check is None else 1  # an interrupted check has not passed


def _run(options: argparse.Namespace, language: Language) -> int:
    if options.check is not None:
        limits = TimeLimits(function=options.seconds)
        return 0 if check(options.check, limits, language) else 1
    if options.tree is not None:
        print("\n".join(picture(game_tree(options.tree), language)))
        return 0
    _play(options, TerminalTexts(language))
    return 0


def _language(arguments: Sequence[str]) -> Language:
    """The language, parsed first because the parser of all options needs it for its texts."""
    early = argparse.ArgumentParser(add_help=False)
    early.add_argument("--language", type=language_named)
    return early.parse_known_args(arguments)[0].language or language_of(os.environ)


def _parser(language: Language) -> argparse.ArgumentParser:
    say = language.say
    parser = argparse.ArgumentParser(
        prog="python3 -m engine",
        description=say(
            N_("Play tic-tac-toe, watch the engine think, or have your own program checked.")
        ),
        add_help=False,
    )
    titles = N_("to play"), N_("to learn"), N_("other options")
    play, learn, besides = (parser.add_argument_group(say(title)) for title in titles)
    _add_options_of_play(play, language)
    _add_options_to_learn(learn, language)
    languages = N_("the language: {languages}; default: your system's")
    besides.add_argument(
        "--language",
        type=lambda text: _named(text, language),
        help=say(languages, languages=", ".join(LANGUAGES)),
    )
    besides.add_argument("-h", "--help", action="help", help=say(N_("show this help and exit")))
    return parser


def _add_options_of_play(group: argparse._ArgumentGroup, language: Language) -> None:
    say = language.say
    games = N_("columns, rows, and how many in a row win, from 3x3x3 to 5x5x5; {others}")
    group.add_argument(
        "--board",
        type=lambda text: _rules(text, language),
        default="3x3x3",
        metavar="CxRxK",
        help=say(games, others=_OTHERS),
    )
    levels = [level.name.lower() for level in Level]
    strength = say(N_("how well I play"))
    group.add_argument("--level", choices=levels, default="impossible", help=strength)
    searches = say(N_("choose my moves by this search, and count its visits"))
    group.add_argument("--search", choices=[*SEARCHES], help=searches)
    first = say(N_("who plays X"))
    group.add_argument("--first", choices=["me", "ai", "random"], default="random", help=first)
    group.add_argument("--self-play", action="store_true", help=say(N_("I play both sides")))
    group.add_argument("--hint", action="store_true", help=say(N_("show what each move is worth")))
    group.add_argument("--review", action="store_true", help=say(N_("judge the moves at the end")))
    group.add_argument("--seed", type=int, help=say(N_("make my choices repeatable")))


def _add_options_to_learn(group: argparse._ArgumentGroup, language: Language) -> None:
    say = language.say
    tree = N_("draw a game tree; a position is written like this: {position}")
    group.add_argument(
        "--tree",
        nargs="?",
        const=_TREE,
        type=lambda text: _position(text, language),
        metavar=say(N_("POSITION")),
        help=say(tree, position=repr(_TREE)),
    )
    group.add_argument("--watch", action="store_true", help=say(N_("show what each search costs")))
    group.add_argument(
        "--check",
        type=lambda text: _file(text, language),
        metavar=say(N_("FILE")),
        help=say(N_("check your own tictactoe.py; docs/WRITE-YOUR-OWN.md shows how")),
    )
    seconds = N_("the most seconds --check spends on each function (default: {n})")
    group.add_argument(
        "--seconds",
        type=float,
        default=TimeLimits().function,
        metavar="N",
        help=say(seconds, n=f"{TimeLimits().function:g}"),
    )


def _rules(text: str, language: Language) -> Rules:
    rules = {rules.name: rules for rules in GAMES.values()}.get(_without_accents(text))
    if rules is None:
        no_game = N_(
            "{typed!r} isn't a game I know: type 3x3x3 to 5x5x5 (columns, rows, how many in a "
            "row win), {others}"
        )
        raise argparse.ArgumentTypeError(language.say(no_game, typed=text, others=_OTHERS))
    return rules


def _without_accents(text: str) -> str:
    letters = unicodedata.normalize("NFD", text.lower())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _position(text: str, language: Language) -> Board:
    try:
        board = Board.parse(text)
    except ValueError:
        impossible = N_("{typed!r} isn't a position of 3x3: type three rows, such as {position!r}")
        said = language.say(impossible, typed=text, position=_TREE)
        raise argparse.ArgumentTypeError(said) from None
    if (size := size_of_tree(board)) > MOST_DRAWN:
        large = N_("this tree has {size} positions, and I draw {most} at most: fill more cells")
        numbers = {"size": language.number(size), "most": MOST_DRAWN}
        raise argparse.ArgumentTypeError(language.say(large, **numbers))
    return board


def _file(text: str, language: Language) -> Path:
    path = Path(text)
    if not path.is_file():
        raise argparse.ArgumentTypeError(language.say(N_("there's no file {typed!r}"), typed=text))
    return path


def _named(text: str, language: Language) -> Language:
    named = language_named(text)
    if named is None:
        unknown = N_("I don't speak {typed!r}, only {languages}")
        said = language.say(unknown, typed=text, languages=", ".join(LANGUAGES))
        raise argparse.ArgumentTypeError(said)
    return named


def _play(options: argparse.Namespace, words: TerminalTexts) -> None:
    """Play games until nobody wants another."""
    rng = random.Random(options.seed)
    first = rng.choice(["me", "ai"]) if options.first == "random" else options.first
    person = None if options.self_play else Mark.X if first == "me" else Mark.O
    level = player_of_level(Level[options.level.upper()], rng)
    machine = SEARCHES[options.search] if options.search else level
    _warn_of_limit(options, words)
    while True:
        for line in words.introduction(options.board, person):
            print(line)
        table = TerminalGame(words, machine, person, hints=options.hint, watches=options.watch)
        moves = table.play(Board(options.board))
        if options.review:
            review(moves, options.board, words)
        if person is None or not again(words):
            return
        person = person.other


def _warn_of_limit(options: argparse.Namespace, words: TerminalTexts) -> None:
    """Say so if the chosen search cannot see the end of the game."""
    board = Board(options.board)
    depth = depth_within_reach(board)
    said = N_("The tree is too large here: at first my search looks {n} moves ahead, no further.")
    if options.search not in {None, "solver"} and depth < board.plies_left:
        print(words.language.say(said, n=depth))


if __name__ == "__main__":
    raise SystemExit(main())
