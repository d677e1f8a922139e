"""The command line of `python -m engine`: its commands, and what is wrong with what was typed."""

from __future__ import annotations

import argparse
import math
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from engine.board import Board, BoardError, BoardFault, Mark
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

_PROGRAM = "python3 -m engine"
_HELP = ("-h", "--help")
_LEVELS: Mapping[str, Level] = {level.name.lower(): level for level in Level}
_SEARCHES: Mapping[str, str] = {name: name for name in SEARCHES}
_FIRST = ("me", "ai", "random")
_EXPECTED = ("alphabeta",)
_VARIANT_NAMES = " / ".join(sorted(rules.name for rules in VARIANTS.values()))
_EXAMPLE_POSITION = "xo. xxo ..o"
_EXAMPLE_NUMBERS = "3 12 8 / 2 4 6 / 14 5 2"
_MAX_NUMBERS = 100
_MAX_NUMBER = 999

_Named = TypeVar("_Named")


class UsageError(Exception):
    """What was typed can't be done; the message tells the person why."""


def command_line(*words: object) -> str:
    """What to type for a command with its options."""
    return " ".join(map(str, (_PROGRAM, *words)))


def choose_language(arguments: Sequence[str]) -> tuple[Language, list[str]]:
    """The language, in which all other options are explained, and what else was typed."""
    system = language_of(os.environ)
    parser = _Parser(system, prog=_PROGRAM)
    parser.option("--language", type=_Values(system).language_named, default=system)
    options, others = parser.read(arguments)
    return options.language, others


# Translators, from here on: said in a terminal, of what somebody typed or may type. Words that are
# typed, such as 3x3x3, play or --seconds, stay as they are.
def parse_options(arguments: Sequence[str], language: Language) -> argparse.Namespace:
    """The command and its options; as usual, wrong ones end the program, and so does `--help`."""
    program, commands = _parsers(language)
    name, *others = arguments or ["play"]
    if not set(_HELP).isdisjoint(arguments):
        commands.get(name, program).print_help()
        raise SystemExit(0)
    if name not in commands:
        program.refuse(_unknown_command(name, program, commands, language))
    options, unused = commands[name].read(others)
    if unused:
        commands[name].refuse(_unused_word(unused[0], name, commands, language))
    if name == "play" and (conflict := _conflict(options, language)):
        commands[name].refuse(conflict)
    options.command = name
    return options


def _unknown_command(
    typed: str, program: _Parser, commands: Mapping[str, _Parser], language: Language
) -> str:
    """Why the first word is no command."""
    if owner := _owner(typed, commands):
        return language.say(N_("{option} is an option of {command}."), option=typed, command=owner)
    problem = language.say(N_('There\'s no command "{typed}".'), typed=typed)
    names = [*commands, *program.takes_value] if typed.startswith("-") else commands
    return f"{problem} {_meant(typed, names, language)}"


def _unused_word(typed: str, name: str, commands: Mapping[str, _Parser], language: Language) -> str:
    """Why a word means nothing to the command of that name."""
    if not typed.startswith("-"):
        return language.say(N_('"{typed}" is one word too many.'), typed=typed)
    option = typed.partition("=")[0]
    if owner := _owner(option, commands):
        text = N_("{option} is an option of {command}, not of {other}.")
        return language.say(text, option=option, command=owner, other=name)
    problem = language.say(N_("There's no option {typed}."), typed=option)
    return f"{problem} {_meant(option, commands[name].takes_value, language)}"


def _owner(option: str, commands: Mapping[str, _Parser]) -> str | None:
    """The first command with an option."""
    return next((name for name, parser in commands.items() if option in parser.takes_value), None)


def _meant(typed: str, names: Collection[str], language: Language) -> str:
    """Which name may have been meant, or all that there are."""
    by_word = {name.strip("-"): name for name in names}
    if close := get_close_matches(typed.strip("-").lower(), by_word, n=1):
        return language.say(N_("Did you mean {name}?"), name=by_word[close[0]])
    return language.say(N_("Type one of these: {names}."), names=language.items([*names]))


def _conflict(options: argparse.Namespace, language: Language) -> str | None:
    """What does not go together in the options of a game, if anything."""
    if options.self_play and options.first:
        text = N_("{option} doesn't go with {other}.")
        return language.say(text, option="--first", other="--self-play")
    if isinstance(options.opponent, Path) and options.board != TIC_TAC_TOE:
        text = N_("{file} plays on {board} only.")
        return language.say(text, file=options.opponent.name, board=TIC_TAC_TOE.name)
    return None


class _HelpFormatter(argparse.HelpFormatter):
    """The help, in which the word "usage", argparse's own, is translated as well."""

    def __init__(self, language: Language, prog: str) -> None:
        super().__init__(prog)
        self._language = language

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        if prefix is None:
            # Translators: a head in the help; leave the blank at its end.
            prefix = self._language.say(N_("usage: "))
        super().add_usage(usage, actions, groups, prefix)


class _Parser(argparse.ArgumentParser):
    """The parser of a command; argparse's errors are English, so it says them itself."""

    def __init__(self, language: Language, **settings: Any) -> None:
        formatter = partial(_HelpFormatter, language)
        super().__init__(
            **settings,
            add_help=False,
            allow_abbrev=False,
            exit_on_error=False,
            formatter_class=formatter,
        )
        self.takes_value: dict[str, bool] = {}
        """The options, and whether each takes a value."""
        self._language = language
        self._group = self.add_argument_group(language.say(N_("options")))

    def word(self, name: str, help_: str, **settings: Any) -> None:
        """Add what is typed without a name."""
        self._group.add_argument(name, help=self._explain(help_), **settings)

    def option(self, *flags: str, help_: str = "", **settings: Any) -> None:
        """Add an option; most take a value."""
        action = self._group.add_argument(*flags, help=self._explain(help_), **settings)
        self.takes_value |= dict.fromkeys(flags, action.nargs != 0)

    def switch(self, flag: str, help_: str) -> None:
        """Add an option without a value."""
        self.option(flag, help_=help_, action="store_true")

    def _explain(self, help_: str) -> str:
        language = self._language
        return language.say(
            help_,
            variants=_VARIANT_NAMES,
            levels=language.items([*_LEVELS]),
            searches=language.items([*_SEARCHES]),
            position=f'"{_EXAMPLE_POSITION}"',
            numbers=f'"{_EXAMPLE_NUMBERS}"',
            n=f"{TimeLimits().function:g}",
            languages=language.items(LANGUAGES),
        )

    def read(self, arguments: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
        """The options, and the words that are none."""
        try:
            return self.parse_known_intermixed_args(arguments)
        except UsageError as error:
            self.refuse(str(error))
        except argparse.ArgumentError as error:
            self.refuse(self._incomplete(error.argument_name))

    def error(self, message: str) -> NoReturn:
        """Called by argparse if a word is missing."""
        raise argparse.ArgumentError(None, message)

    def _incomplete(self, option: str | None) -> str:
        if option is None:
            return self._language.say(N_("A file is missing, such as {file}."), file="tictactoe.py")
        needs_value = self.takes_value[option.split("/")[-1]]
        text = N_("{option} needs a value.") if needs_value else N_("{option} takes no value.")
        return self._language.say(text, option=option)

    def refuse(self, problem: str) -> NoReturn:
        """End the program with what is wrong, and where to find help."""
        help_ = self._language.say(N_("Help: {command}"), command=f"{self.prog} --help")
        print(problem, help_, sep="\n", file=sys.stderr)
        raise SystemExit(2)


class _Values:
    """Reads the values of options; where one cannot be, a UsageError tells the person why."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self.say = language.say

    def rules(self, text: str) -> Rules:
        rules_by_name = {rules.name: rules for rules in GAMES.values()}
        rules = rules_by_name.get(typed_word(text))
        if rules is None:
            unknown = N_(
                '"{typed}" isn\'t a game I know: type 3x3x3 to 5x5x5 (columns, rows, how many in a '
                "row win), {others}."
            )
            raise UsageError(self.say(unknown, typed=text, others=_VARIANT_NAMES))
        return rules

    def tree(self, text: str) -> Board | Numbers:
        if re.search(r"\d", text):
            return self._numbers(text)
        try:
            board = Board.parse(text)
        except BoardError as error:
            raise UsageError(self._fault(text, error.fault)) from None
        size = size_of_tree(board)
        if size > MAX_DRAWN_NODES:
            too_large = self._language.ngettext(
                "This tree has {n} position, and I draw {most} at most: fill more squares.",
                "This tree has {n} positions, and I draw {most} at most: fill more squares.",
                size,
                most=self._language.number(MAX_DRAWN_NODES),
            )
            raise UsageError(too_large)
        return board

    def _fault(self, text: str, fault: BoardFault) -> str:
        """Why a text is no position of 3x3."""
        match fault:
            case BoardFault.ROWS:
                sentence = N_(
                    '"{typed}" isn\'t three rows of three, such as "{position}", nor numbers, such '
                    'as "{numbers}".'
                )
            case BoardFault.SYMBOLS:
                sentence = N_('"{typed}" has more in it than x, o and dots for free squares.')
            case BoardFault.TURNS:
                sentence = N_(
                    '"{typed}" can\'t arise: X begins and both take turns, but there are {x} X and '
                    "{o} O."
                )
            case BoardFault.PLAYED_ON:
                sentence = N_('"{typed}" can\'t arise: somebody played on after a win.')
            case BoardFault.TWO_WINS:
                sentence = N_('"{typed}" can\'t arise: no one move completes both lines.')
        return self.say(
            sentence,
            typed=text,
            position=_EXAMPLE_POSITION,
            numbers=_EXAMPLE_NUMBERS,
            x=text.lower().count(Mark.X.value),
            o=text.lower().count(Mark.O.value),
        )

    def _numbers(self, text: str) -> Numbers:
        """The tree of numbers that a text such as "3 12 8 / 2 4 6" writes, branch by branch."""
        try:
            branches = [[int(number) for number in branch.split()] for branch in text.split("/")]
        except ValueError:
            branches = [[]]
        leaves = [leaf for branch in branches for leaf in branch]
        largest = max(map(abs, leaves), default=0)
        if not all(branches) or len(leaves) > _MAX_NUMBERS or largest > _MAX_NUMBER:
            unusable = N_(
                '"{typed}" isn\'t a tree of numbers, such as "{numbers}": each branch has some, at '
                "most {n} in all, from -{largest} to {largest}."
            )
            raise UsageError(
                self.say(
                    unusable,
                    typed=text,
                    numbers=_EXAMPLE_NUMBERS,
                    n=_MAX_NUMBERS,
                    largest=_MAX_NUMBER,
                )
            )
        return Numbers.of(branches)

    def file(self, text: str) -> Path:
        path = Path(text)
        if not path.is_file():
            raise UsageError(self.say(N_('There\'s no file "{typed}".'), typed=text))
        return path

    def player(self, text: str) -> Level | str | Path:
        """A level, the name of a search, or a file."""
        return self._named_or_file(text, {**_LEVELS, **_SEARCHES})

    def opponent(self, text: str) -> Level | Path:
        """A level or a file."""
        return self._named_or_file(text, _LEVELS)

    def _named_or_file(self, text: str, named: Mapping[str, _Named]) -> _Named | Path:
        if typed_word(text) in named:
            return named[typed_word(text)]
        path = Path(text)
        if path.is_file():
            return path
        problem = self.say(N_('There\'s no player "{typed}", nor a file of that name.'), typed=text)
        raise UsageError(f"{problem} {_meant(text, named, self._language)}")

    def function(self, text: str) -> str:
        return self._one_of(FUNCTION_NAMES, text, N_('There\'s no function "{typed}".'))

    def first(self, text: str) -> str:
        return self._one_of(_FIRST, text, N_('"{typed}" can\'t begin.'))

    def expected(self, text: str) -> str:
        return self._one_of(_EXPECTED, text, N_('I can\'t expect "{typed}".'))

    def _one_of(self, names: Collection[str], text: str, problem: str) -> str:
        if text in names:
            return text
        raise UsageError(f"{self.say(problem, typed=text)} {_meant(text, names, self._language)}")

    def seconds(self, text: str) -> float:
        try:
            seconds = float(text)
        except ValueError:
            seconds = 0
        if not 0 < seconds < math.inf:
            unknown = N_(
                '"{typed}" isn\'t a number of seconds: type one greater than 0, such as 60.'
            )
            raise UsageError(self.say(unknown, typed=text))
        return seconds

    def seed(self, text: str) -> int:
        try:
            return int(text)
        except ValueError:
            unknown = N_('"{typed}" isn\'t a whole number, such as 1.')
            raise UsageError(self.say(unknown, typed=text)) from None

    def language_named(self, text: str) -> Language:
        chosen = language_named(text)
        if chosen is None:
            unknown = N_('I don\'t speak "{typed}", only {languages}.')
            languages = self._language.items(LANGUAGES)
            raise UsageError(self.say(unknown, typed=text, languages=languages))
        return chosen


# Translators, from here on: in the help, of a command or one of its options.
def _add_play(parser: _Parser, values: _Values) -> None:
    parser.word(
        "opponent",
        N_(
            "a level ({levels}), a search ({searches}), or your own tictactoe.py, whose minimax "
            "then plays; default: impossible"
        ),
        nargs="?",
        metavar=values.say(N_("OPPONENT")),
        type=values.player,
        default=Level.IMPOSSIBLE,
    )
    parser.option(
        "--board",
        help_=N_("columns, rows, and how many in a row win, from 3x3x3 to 5x5x5; {variants}"),
        metavar="CxRxK",
        type=values.rules,
        default=TIC_TAC_TOE,
    )
    parser.option("--first", help_=N_("who plays X"), choices=_FIRST, type=values.first)
    parser.switch("--self-play", N_("I play both sides"))
    parser.switch("--hint", N_("show what each move is worth"))
    parser.switch("--review", N_("judge the moves at the end"))
    parser.switch("--watch", N_("show what each search costs"))
    _add_seed(parser, values)
    _add_seconds(parser, values, N_("the most seconds for a move of your program (default: {n})"))


def _add_tree(parser: _Parser, values: _Values) -> None:
    parser.word(
        "tree",
        N_("a position, such as {position}, or a tree of numbers, such as {numbers}"),
        nargs="?",
        metavar=values.say(N_("TREE")),
        type=values.tree,
        default=_EXAMPLE_POSITION,
    )
    parser.switch("--steps", N_("follow alpha-beta through the tree, step by step"))


def _add_check(parser: _Parser, values: _Values) -> None:
    _add_file(parser, values)
    parser.option(
        "--only",
        help_=N_("check this function alone"),
        metavar=values.say(N_("FUNCTION")),
        type=values.function,
    )
    parser.switch("--json", N_("the report as JSON"))
    parser.switch("--own", N_("what isn't your own is wrong, and the engine is out of reach"))
    parser.option(
        "--expect",
        help_=N_("minimax has to cut off what it need not search"),
        choices=_EXPECTED,
        type=values.expected,
    )
    _add_seconds(parser, values, N_("the most seconds for each function (default: {n})"))


def _add_contest(parser: _Parser, values: _Values) -> None:
    _add_file(parser, values)
    parser.word(
        "opponent",
        N_("another such file, or a level ({levels}); default: all levels"),
        nargs="?",
        metavar=values.say(N_("OPPONENT")),
        type=values.opponent,
    )
    _add_seed(parser, values)
    _add_seconds(parser, values, N_("the most seconds for a move of a program (default: {n})"))


def _add_file(parser: _Parser, values: _Values) -> None:
    parser.word(
        "file",
        N_("your own tictactoe.py; docs/en/WRITE-YOUR-OWN.md shows how"),
        metavar=values.say(N_("FILE")),
        type=values.file,
    )


def _add_seed(parser: _Parser, values: _Values) -> None:
    help_ = N_("make my choices repeatable")
    parser.option("--seed", help_=help_, metavar="N", type=values.seed)


def _add_seconds(parser: _Parser, values: _Values, help_: str) -> None:
    default = TimeLimits().function
    parser.option("--seconds", help_=help_, metavar="N", type=values.seconds, default=default)


_COMMANDS: Mapping[str, tuple[str, Callable[[_Parser, _Values], None]]] = {
    "play": (N_("play a game"), _add_play),
    "tree": (N_("draw a game tree, with what alpha-beta reads of it"), _add_tree),
    "check": (N_("have your own program checked, function by function"), _add_check),
    "contest": (N_("let your own program play many games against others"), _add_contest),
}


def _parsers(language: Language) -> tuple[_Parser, Mapping[str, _Parser]]:
    """The parser of the whole, which has the help, and that of each command."""
    say = language.say
    description = N_("Play tic-tac-toe, watch the engine think, or have your own program checked.")
    epilog = N_("Without a command, a game begins. {help} says more of a command.")
    program = _Parser(
        language,
        prog=_PROGRAM,
        description=say(description),
        epilog=say(epilog, help=command_line("play", "--help")),
    )
    commands = program.add_subparsers(
        title=say(N_("commands")), metavar=say(N_("COMMAND")), prog=_PROGRAM
    )
    for name, (help_, add_options) in _COMMANDS.items():
        parser = commands.add_parser(
            name, language=language, help=say(help_), description=say(help_)
        )
        add_options(parser, _Values(language))
    for parser in (program, *commands.choices.values()):
        help_ = N_("the language: {languages}; default: your system's")
        parser.option("--language", help_=help_, metavar=say(N_("LANGUAGE")))
        parser.option(*_HELP, help_=N_("show this help and exit"), action="help")
    return program, commands.choices
