"""The options of `python -m engine`: their help, their values, and what is wrong with a value."""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any

from engine.board import Board
from engine.check.checks import FUNCTION_NAMES
from engine.check.learner import TimeLimits
from engine.lessons import size_of_tree
from engine.levels import Level
from engine.record import GAMES
from engine.rules import TIC_TAC_TOE, Rules
from engine.terminal.game import SEARCHES
from engine.terminal.language import (
    LANGUAGES,
    N_,
    Language,
    language_named,
    language_of,
    typed_word,
)
from engine.terminal.tree import MAX_DRAWN_NODES
from engine.tree import Numbers
from engine.variants import VARIANTS

_VARIANT_NAMES = " / ".join(sorted(rules.name for rules in VARIANTS.values()))
_EXAMPLE_POSITION = "xo. xxo ..o"
_EXAMPLE_NUMBERS = "3 12 8 / 2 4 6 / 14 5 2"
_MAX_NUMBERS = 100
_MAX_NUMBER = 999

_ALL_LEVELS = "levels"

_OTHER_THAN_A_GAME = ("--check", "--tree")
"""Options beside which no game is played by the engine's own rules and levels."""

_NOT_WATCHED = (*_OTHER_THAN_A_GAME, "--against")
"""Options beside which no game is shown move by move."""


def choose_language(arguments: Sequence[str]) -> Language:
    """The language; it comes first because the parser of all options needs it for its texts."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--language", type=language_named)
    return parser.parse_known_args(arguments)[0].language or language_of(os.environ)


# Translators, from here on: said in a terminal: of an option in the help, or why what was typed
# cannot be. Words that are typed, such as 3x3x3 or --seconds, stay as they are.
def _rules(text: str, language: Language) -> Rules:
    rules_by_name = {rules.name: rules for rules in GAMES.values()}
    rules = rules_by_name.get(typed_word(text))
    if rules is None:
        unknown = N_(
            '"{typed}" isn\'t a game I know: type 3x3x3 to 5x5x5 (columns, rows, how many in a '
            "row win), {others}"
        )
        message = language.say(unknown, typed=text, others=_VARIANT_NAMES)
        raise argparse.ArgumentTypeError(message)
    return rules


def _position(text: str, language: Language) -> Board | Numbers:
    try:
        if "/" in text:
            return _numbers(text)
        board = Board.parse(text)
    except ValueError:
        invalid = N_(
            '"{typed}" isn\'t a position of 3x3, nor a tree of numbers: type three rows, such as '
            '"{position}", or branches, such as "{numbers}"'
        )
        message = language.say(
            invalid, typed=text, position=_EXAMPLE_POSITION, numbers=_EXAMPLE_NUMBERS
        )
        raise argparse.ArgumentTypeError(message) from None
    size = size_of_tree(board)
    if size > MAX_DRAWN_NODES:
        message = language.ngettext(
            "this tree has {n} position, and I draw {most} at most: fill more squares",
            "this tree has {n} positions, and I draw {most} at most: fill more squares",
            size,
            most=language.number(MAX_DRAWN_NODES),
        )
        raise argparse.ArgumentTypeError(message)
    return board


def _numbers(text: str) -> Numbers:
    """The tree of numbers that a text such as "3 12 8 / 2 4 6" writes, branch by branch."""
    branches = [[int(number) for number in branch.split()] for branch in text.split("/")]
    leaves = [leaf for branch in branches for leaf in branch]
    if not all(branches) or len(leaves) > _MAX_NUMBERS or max(map(abs, leaves)) > _MAX_NUMBER:
        raise ValueError(text)
    return Numbers.of(branches)


def _file(text: str, language: Language) -> Path:
    path = Path(text)
    if not path.is_file():
        message = language.say(N_('there\'s no file "{typed}"'), typed=text)
        raise argparse.ArgumentTypeError(message)
    return path


def _opponents(text: str, language: Language) -> tuple[Level | Path, ...]:
    """All levels, one level, or a file."""
    levels = {level.name.lower(): level for level in Level}
    if typed_word(text) == _ALL_LEVELS:
        return tuple(Level)
    if level := levels.get(typed_word(text)):
        return (level,)
    if Path(text).is_file():
        return (Path(text),)
    unknown = N_('"{typed}" is neither a file nor a level: type one of {levels}, or {all}')
    names = language.items([*levels])
    message = language.say(unknown, typed=text, levels=names, all=_ALL_LEVELS)
    raise argparse.ArgumentTypeError(message)


def _seconds(text: str, language: Language) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds < math.inf:
        unknown = N_('"{typed}" isn\'t a number of seconds: type one greater than 0, such as 60')
        raise argparse.ArgumentTypeError(language.say(unknown, typed=text))
    return seconds


def _function(text: str, language: Language) -> str:
    if text in FUNCTION_NAMES:
        return text
    names = language.items(FUNCTION_NAMES)
    close = get_close_matches(text.lower(), FUNCTION_NAMES, n=1)
    if close:
        misspelt = N_('there\'s no function "{typed}": did you mean {name}? There are {names}')
        message = language.say(misspelt, typed=text, name=close[0], names=names)
    else:
        unknown = N_('there\'s no function "{typed}", only {names}')
        message = language.say(unknown, typed=text, names=names)
    raise argparse.ArgumentTypeError(message)


def _language(text: str, language: Language) -> Language:
    chosen = language_named(text)
    if chosen is None:
        unknown = N_('I don\'t speak "{typed}", only {languages}')
        languages = language.items(LANGUAGES)
        message = language.say(unknown, typed=text, languages=languages)
        raise argparse.ArgumentTypeError(message)
    return chosen


@dataclass(frozen=True)
class Option:
    """An option: its help, its value if it is not given, and what else argparse is to know of it.

    `parse` takes what was typed and the language, in which it says what is wrong. The option does
    something only beside one of those that it `needs`, and nothing beside one of `unused_with`.
    """

    help: str
    default: object = None
    parse: Callable[..., object] | None = None
    needs: Sequence[str] = ()
    unused_with: Sequence[str] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)


def _switch(help_: str, unused_with: Sequence[str] = (), needs: Sequence[str] = ()) -> Option:
    """An option without a value."""
    settings = {"action": "store_const", "const": True}
    return Option(help_, default=False, needs=needs, unused_with=unused_with, settings=settings)


# Translators, from here on: said in a terminal: of an option in the help, or why what was typed
# cannot be. Words that are typed, such as 3x3x3 or --seconds, stay as they are.
_GROUPS: Mapping[str, Mapping[str, Option]] = {
    N_("to play"): {
        "--board": Option(
            N_("columns, rows, and how many in a row win, from 3x3x3 to 5x5x5; {others}"),
            default=TIC_TAC_TOE,
            parse=_rules,
            unused_with=_OTHER_THAN_A_GAME,
            settings={"metavar": "CxRxK"},
        ),
        "--level": Option(
            N_("how well I play"),
            default="impossible",
            unused_with=(*_OTHER_THAN_A_GAME, "--play", "--search"),
            settings={"choices": [level.name.lower() for level in Level]},
        ),
        "--search": Option(
            N_("choose my moves by this search, and count its visits"),
            unused_with=(*_OTHER_THAN_A_GAME, "--play"),
            settings={"choices": [*SEARCHES]},
        ),
        "--first": Option(
            N_("who plays X"),
            unused_with=(*_OTHER_THAN_A_GAME, "--self-play", "--against"),
            settings={"choices": ["me", "ai", "random"]},
        ),
        "--self-play": _switch(N_("I play both sides"), _NOT_WATCHED),
        "--hint": _switch(N_("show what each move is worth"), _NOT_WATCHED),
        "--review": _switch(N_("judge the moves at the end"), _NOT_WATCHED),
        "--seed": Option(
            N_("make my choices repeatable"),
            unused_with=_OTHER_THAN_A_GAME,
            settings={"type": int},
        ),
    },
    N_("to learn"): {
        "--tree": Option(
            N_("draw a game tree, of a position such as {position} or of numbers: {numbers}"),
            parse=_position,
            unused_with=("--check", "--play"),
            settings={"metavar": N_("POSITION"), "nargs": "?", "const": _EXAMPLE_POSITION},
        ),
        "--steps": _switch(
            N_("follow alpha-beta through the tree, step by step"), needs=("--tree",)
        ),
        "--watch": _switch(N_("show what each search costs"), _NOT_WATCHED),
        "--check": Option(
            N_("check your own tictactoe.py; docs/en/WRITE-YOUR-OWN.md shows how"),
            parse=_file,
            settings={"metavar": N_("FILE")},
        ),
        "--only": Option(
            N_("check this function alone"),
            parse=_function,
            needs=("--check",),
            settings={"metavar": N_("FUNCTION")},
        ),
        "--json": _switch(N_("the report as JSON"), needs=("--check",)),
        "--own": _switch(
            N_("what isn't your own is wrong, and the engine is out of reach"), needs=("--check",)
        ),
        "--expect": Option(
            N_("minimax has to cut off what it need not search"),
            needs=("--check",),
            settings={"choices": ["alphabeta"]},
        ),
        "--play": Option(
            N_("play against the minimax of your own tictactoe.py"),
            parse=_file,
            unused_with=("--check",),
            settings={"metavar": N_("FILE")},
        ),
        "--against": Option(
            N_("let it play games against another file, a level or all {levels}"),
            parse=_opponents,
            needs=("--play",),
            settings={"metavar": N_("OPPONENT")},
        ),
        "--seconds": Option(
            N_("the most seconds --check spends on each function (default: {n})"),
            default=TimeLimits().function,
            needs=("--check", "--play"),
            parse=_seconds,
            settings={"metavar": "N"},
        ),
    },
    N_("other options"): {
        "--language": Option(
            N_("the language: {languages}; default: your system's"), parse=_language
        ),
        "--help": Option(N_("show this help and exit"), settings={"action": "help"}),
    },
}
"""The options, by the headings in the help."""

_OPTIONS = {flag: option for options in _GROUPS.values() for flag, option in options.items()}


def parse_options(arguments: Sequence[str], language: Language) -> argparse.Namespace:
    """The values of all options; as usual, wrong ones end the program."""
    parser = _parser(language)
    given = vars(parser.parse_args(arguments))
    flags = [flag for flag in _OPTIONS if _name(flag) in given]
    if problem := _find_unused(flags, language):
        parser.error(problem)
    if "play" in given and given.get("board", TIC_TAC_TOE) != TIC_TAC_TOE:
        parser.error(language.say(N_("--play is for {board} only"), board=TIC_TAC_TOE.name))
    defaults = {_name(flag): option.default for flag, option in _OPTIONS.items()}
    return argparse.Namespace(**defaults | given)


def _parser(language: Language) -> argparse.ArgumentParser:
    say = language.say
    parser = argparse.ArgumentParser(
        prog="python3 -m engine",
        description=say(
            N_("Play tic-tac-toe, watch the engine think, or have your own program checked.")
        ),
        add_help=False,
        argument_default=argparse.SUPPRESS,
    )
    values = {
        "others": _VARIANT_NAMES,
        "position": repr(_EXAMPLE_POSITION),
        "numbers": repr(_EXAMPLE_NUMBERS),
        "levels": _ALL_LEVELS,
        "n": f"{TimeLimits().function:g}",
        "languages": language.items(LANGUAGES),
    }
    for heading, options in _GROUPS.items():
        group = parser.add_argument_group(say(heading))
        for flag, option in options.items():
            settings = {**option.settings, "help": say(option.help, **values)}
            if "metavar" in settings:
                settings["metavar"] = say(settings["metavar"])
            if option.parse:
                settings["type"] = partial(option.parse, language=language)
            group.add_argument(*(["-h", flag] if flag == "--help" else [flag]), **settings)
    return parser


def _find_unused(flags: Sequence[str], language: Language) -> str | None:
    """The sentence about an option that does nothing beside the others, if there is one."""
    for flag in flags:
        option = _OPTIONS[flag]
        if option.needs and not set(option.needs) & set(flags):
            return language.say(N_("{option} needs {other}"), option=flag, other=option.needs[0])
        for other in flags:
            if other in option.unused_with:
                text = N_("{option} doesn't go with {other}")
                return language.say(text, option=flag, other=other)
    return None


def _name(flag: str) -> str:
    return flag.removeprefix("--").replace("-", "_")
