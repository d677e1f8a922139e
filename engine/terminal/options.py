"""The options of `python -m engine`: their help, their values, and what is wrong with a value."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from engine.board import Board
from engine.check.checks import FUNCTION_NAMES
from engine.check.runner import TimeLimits
from engine.lessons import size_of_tree
from engine.levels import Level
from engine.record import GAMES
from engine.rules import TIC_TAC_TOE, Rules
from engine.terminal.language import (
    LANGUAGES,
    N_,
    Language,
    language_named,
    language_of,
    typed_word,
)
from engine.terminal.players import SEARCHES
from engine.terminal.tree_drawing import MAX_DRAWN_NODES
from engine.variants import VARIANTS

_VARIANT_NAMES = " / ".join(sorted(rules.name for rules in VARIANTS.values()))
_EXAMPLE_POSITION = "xo. xxo ..o"

_DEFAULTS: dict[str, object] = {
    "board": TIC_TAC_TOE,
    "level": Level.IMPOSSIBLE.name.lower(),
    "search": None,
    "first": None,
    "self_play": False,
    "hint": False,
    "review": False,
    "watch": False,
    "seed": None,
    "tree": None,
    "check": None,
    "only": None,
    "json": False,
    "play": None,
    "seconds": TimeLimits().function,
}
_OF_A_GAME = {"level", "search", "first", "self_play", "hint", "review", "seed", "watch"}
_UNUSED_WITH = {
    "check": _OF_A_GAME | {"board", "play", "tree"},
    "play": {"level", "search", "tree"},
    "tree": _OF_A_GAME | {"board"},
    "search": {"level"},
    "self_play": {"first"},
}
"""For an option, those that would do nothing beside it."""
_OF_A_CHECK = {"only": {"check"}, "json": {"check"}, "seconds": {"check", "play"}}
"""Options that do something only beside one of these."""


def choose_language(arguments: Sequence[str]) -> Language:
    """The language; it comes first because the parser of all options needs it for its texts."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--language", type=language_named)
    return parser.parse_known_args(arguments)[0].language or language_of(os.environ)


# Translators, from here on: said in a terminal: of an option in the help, or why what was typed
# cannot be. Words that are typed, such as 3x3x3 or --seconds, stay as they are.
class OptionParser:
    """The parser of the command line, which speaks one language."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._say = language.say

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """The values of all options; as usual, wrong ones end the program."""
        parser = self._build()
        given = vars(parser.parse_args(arguments))
        if problem := self._find_unused(given):
            parser.error(problem)
        return argparse.Namespace(**_DEFAULTS | given)

    def _find_unused(self, given: Mapping[str, object]) -> str | None:
        """What is wrong with the options together: one that would do nothing is refused."""
        say = self._say
        if "play" in given and given.get("board", TIC_TAC_TOE) != TIC_TAC_TOE:
            return say(N_("--play is for {board} only"), board=TIC_TAC_TOE.name)
        for option in given:
            if option in _OF_A_CHECK and _OF_A_CHECK[option].isdisjoint(given):
                return say(N_("{option} needs {other}"), option=_flag(option), other="--check")
            for other in given:
                if option in _UNUSED_WITH.get(other, ()):
                    text = N_("{option} doesn't go with {other}")
                    return say(text, option=_flag(option), other=_flag(other))
        return None

    def _build(self) -> argparse.ArgumentParser:
        say = self._say
        parser = argparse.ArgumentParser(
            prog="python3 -m engine",
            description=say(
                N_("Play tic-tac-toe, watch the engine think, or have your own program checked.")
            ),
            add_help=False,
            argument_default=argparse.SUPPRESS,
        )
        self._add_play_options(parser.add_argument_group(say(N_("to play"))))
        self._add_learn_options(parser.add_argument_group(say(N_("to learn"))))
        other = parser.add_argument_group(say(N_("other options")))
        languages = N_("the language: {languages}; default: your system's")
        other.add_argument(
            "--language",
            type=self._parse_language,
            help=say(languages, languages=self._language.items(LANGUAGES)),
        )
        other.add_argument("-h", "--help", action="help", help=say(N_("show this help and exit")))
        return parser

    def _add_play_options(self, group: argparse._ArgumentGroup) -> None:
        say = self._say
        games = N_("columns, rows, and how many in a row win, from 3x3x3 to 5x5x5; {others}")
        group.add_argument(
            "--board",
            type=self._parse_rules,
            metavar="CxRxK",
            help=say(games, others=_VARIANT_NAMES),
        )
        group.add_argument(
            "--level",
            choices=[level.name.lower() for level in Level],
            help=say(N_("how well I play")),
        )
        group.add_argument(
            "--search",
            choices=[*SEARCHES],
            help=say(N_("choose my moves by this search, and count its visits")),
        )
        group.add_argument("--first", choices=["me", "ai", "random"], help=say(N_("who plays X")))
        group.add_argument(
            "--self-play", action="store_const", const=True, help=say(N_("I play both sides"))
        )
        group.add_argument(
            "--hint", action="store_const", const=True, help=say(N_("show what each move is worth"))
        )
        group.add_argument(
            "--review", action="store_const", const=True, help=say(N_("judge the moves at the end"))
        )
        group.add_argument("--seed", type=int, help=say(N_("make my choices repeatable")))

    def _add_learn_options(self, group: argparse._ArgumentGroup) -> None:
        say = self._say
        tree = N_("draw a game tree; a position is written like this: {position}")
        group.add_argument(
            "--tree",
            nargs="?",
            const=_EXAMPLE_POSITION,
            type=self._parse_position,
            metavar=say(N_("POSITION")),
            help=say(tree, position=repr(_EXAMPLE_POSITION)),
        )
        group.add_argument(
            "--watch", action="store_const", const=True, help=say(N_("show what each search costs"))
        )
        group.add_argument(
            "--check",
            type=self._parse_file,
            metavar=say(N_("FILE")),
            help=say(N_("check your own tictactoe.py; docs/WRITE-YOUR-OWN.md shows how")),
        )
        group.add_argument(
            "--only",
            type=self._parse_function,
            metavar=say(N_("FUNCTION")),
            help=say(N_("check this function alone")),
        )
        group.add_argument(
            "--json", action="store_const", const=True, help=say(N_("the report as JSON"))
        )
        group.add_argument(
            "--play",
            type=self._parse_file,
            metavar=say(N_("FILE")),
            help=say(N_("play against the minimax of your own tictactoe.py")),
        )
        seconds = N_("the most seconds --check spends on each function (default: {n})")
        group.add_argument(
            "--seconds",
            type=float,
            metavar="N",
            help=say(seconds, n=f"{TimeLimits().function:g}"),
        )

    def _parse_rules(self, text: str) -> Rules:
        rules_by_name = {rules.name: rules for rules in GAMES.values()}
        rules = rules_by_name.get(typed_word(text))
        if rules is None:
            unknown = N_(
                '"{typed}" isn\'t a game I know: type 3x3x3 to 5x5x5 (columns, rows, how many in a '
                "row win), {others}"
            )
            message = self._say(unknown, typed=text, others=_VARIANT_NAMES)
            raise argparse.ArgumentTypeError(message)
        return rules

    def _parse_position(self, text: str) -> Board:
        try:
            board = Board.parse(text)
        except ValueError:
            invalid = N_(
                '"{typed}" isn\'t a position of 3x3: type three rows, such as "{position}"'
            )
            message = self._say(invalid, typed=text, position=_EXAMPLE_POSITION)
            raise argparse.ArgumentTypeError(message) from None
        size = size_of_tree(board)
        if size > MAX_DRAWN_NODES:
            message = self._language.ngettext(
                "this tree has {n} position, and I draw {most} at most: fill more cells",
                "this tree has {n} positions, and I draw {most} at most: fill more cells",
                size,
                most=self._language.number(MAX_DRAWN_NODES),
            )
            raise argparse.ArgumentTypeError(message)
        return board

    def _parse_file(self, text: str) -> Path:
        path = Path(text)
        if not path.is_file():
            message = self._say(N_('there\'s no file "{typed}"'), typed=text)
            raise argparse.ArgumentTypeError(message)
        return path

    def _parse_function(self, text: str) -> str:
        if text in FUNCTION_NAMES:
            return text
        names = self._language.items(FUNCTION_NAMES)
        close = get_close_matches(text.lower(), FUNCTION_NAMES, n=1)
        if close:
            misspelt = N_('there\'s no function "{typed}": did you mean {name}? There are {names}')
            message = self._say(misspelt, typed=text, name=close[0], names=names)
        else:
            unknown = N_('there\'s no function "{typed}", only {names}')
            message = self._say(unknown, typed=text, names=names)
        raise argparse.ArgumentTypeError(message)

    def _parse_language(self, text: str) -> Language:
        language = language_named(text)
        if language is None:
            unknown = N_('I don\'t speak "{typed}", only {languages}')
            languages = self._language.items(LANGUAGES)
            message = self._say(unknown, typed=text, languages=languages)
            raise argparse.ArgumentTypeError(message)
        return language


def _flag(option: str) -> str:
    return "--" + option.replace("_", "-")
