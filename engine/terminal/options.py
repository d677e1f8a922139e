"""The command line of `python -m engine`: its commands and their options."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from engine.check.learner import TimeLimits
from engine.levels import Level
from engine.rules import TIC_TAC_TOE
from engine.terminal.game import SEARCHES
from engine.terminal.language import LANGUAGES, N_, Language, language_of
from engine.terminal.values import (
    EXAMPLE_NUMBERS,
    EXAMPLE_POSITION,
    EXPECTED,
    FIRST,
    LEVELS,
    VARIANT_NAMES,
    UsageError,
    Values,
    meant,
)

_PROGRAM = "python3 -m engine"
_HELP = ("-h", "--help")
# Translators: in the help.
_LANGUAGE_HELP = N_("the language: {languages}; default: your system's")


def command_line(*words: object) -> str:
    """What to type for a command with its options."""
    return " ".join(map(str, (_PROGRAM, *words)))


def choose_language(arguments: Sequence[str]) -> tuple[Language, list[str]]:
    """The language, in which all other options are explained, and what else was typed."""
    system = language_of(os.environ)
    parser = _Parser(system, prog=_PROGRAM)
    parser.option("--language", _LANGUAGE_HELP, parser.values.language_named, default=system)
    options, others = parser.read(arguments)
    return options.language, others


# Translators, from here on: said in a terminal, of what somebody typed. Words that are typed, such
# as play or --seconds, stay as they are.
def parse_options(arguments: Sequence[str], language: Language) -> argparse.Namespace:
    """The command and its options; as usual, wrong ones end the program, and so does `--help`."""
    program, commands = _parsers(language)
    name, *others = arguments or ["play"]
    parser = commands.get(name, program)
    if not set(_HELP).isdisjoint(arguments):
        parser.print_help()
        raise SystemExit(0)
    if parser is program:
        program.refuse(_unknown(name, program, commands, language))
    for word in others:  # before argparse takes what follows an unknown option for a word
        if word.startswith("--") and word.partition("=")[0] not in parser.takes_value:
            parser.refuse(_unknown(word, parser, commands, language))
    options, unused = parser.read(others)
    if unused:
        parser.refuse(_unknown(unused[0], parser, commands, language))
    if name in {"check", "contest"}:
        _read_program(options, parser)
        is_league = options.program is None and options.file.is_dir()
        if name == "contest" and is_league and options.opponent is not None:
            parser.refuse(_unknown(others[1], parser, commands, language))
    if name == "play" and (conflict := _conflict(options, language)):
        parser.refuse(conflict)
    if name == "check" and options.steps and (conflict := _conflict_of_steps(options, language)):
        parser.refuse(conflict)
    options.command = name
    return options


def _unknown(
    typed: str, parser: _Parser, commands: Mapping[str, _Parser], language: Language
) -> str:
    """Why a parser, of a command or of the whole program, can do nothing with a word."""
    option = typed.partition("=")[0]
    for name, other in commands.items():
        if option in other.takes_value:
            text = N_("{option} is an option of {command}.")
            return language.say(text, option=option, command=name)
    if option.startswith("-"):
        problem = language.say(N_("There's no option {typed}."), typed=option)
        names = [*parser.takes_value, *(() if parser in commands.values() else commands)]
        return f"{problem} {meant(option, names, language)}"
    if parser in commands.values():
        return language.say(N_('"{typed}" is one word too many.'), typed=typed)
    problem = language.say(N_('There\'s no command "{typed}".'), typed=typed)
    return f"{problem} {meant(typed, commands, language)}"


def _read_program(options: argparse.Namespace, parser: _Parser) -> None:
    """Read which file, or `--command`, is to be judged or to play.

    With `--command` there is no file, so that the first word of `contest` is the opponent.
    """
    say, typed = parser.language.say, options.file
    if options.program is None and typed is None:
        parser.refuse(parser.incomplete(None))
    if options.program is not None:
        for option in ("own", "only", "expect", "steps"):
            if getattr(options, option, None):
                text = N_("{option} doesn't go with {other}.")
                parser.refuse(say(text, option=f"--{option}", other="--command"))
        extra = getattr(options, "opponent", typed)
        if extra is not None:
            extra = extra.name.lower() if isinstance(extra, Level) else extra
            parser.refuse(say(N_('"{typed}" is one word too many.'), typed=extra))
    try:
        if options.program is None:
            options.file = parser.values.file_or_folder(typed)
        elif typed is not None:
            options.opponent = parser.values.opponent(typed)
    except UsageError as error:
        parser.refuse(str(error))


def _conflict(options: argparse.Namespace, language: Language) -> str | None:
    """What does not go together in the options of a game, if anything."""
    if options.self_play and options.first:
        text = N_("{option} doesn't go with {other}.")
        return language.say(text, option="--first", other="--self-play")
    if isinstance(options.opponent, Path) and options.board != TIC_TAC_TOE:
        text = N_("{file} plays on {board} only.")
        return language.say(text, file=options.opponent.name, board=TIC_TAC_TOE.name)
    return None


def _conflict_of_steps(options: argparse.Namespace, language: Language) -> str | None:
    """What does not go together with the steps on one board, if anything."""
    if options.file.is_dir():
        text = N_("{option} wants one program, and {file} is a folder.")
        return language.say(text, option="--steps", file=options.file.name)
    for other in ("only", "json", "expect"):
        if getattr(options, other):
            text = N_("{option} doesn't go with {other}.")
            return language.say(text, option="--steps", other=f"--{other}")
    return None


class _Parser(argparse.ArgumentParser):
    """The parser of a command. It words errors itself, as argparse does so in English only."""

    def __init__(self, language: Language, **settings: Any) -> None:
        super().__init__(**settings, add_help=False, allow_abbrev=False, exit_on_error=False)
        self.language = language
        self.values = Values(language)
        self.takes_value: dict[str, bool] = {}
        """The options, and whether each takes a value."""
        self._group = self.add_argument_group(language.say(N_("options")))

    def word(
        self, name: str, metavar: str, help_: str, parse: Callable[[str], object], **settings: Any
    ) -> None:
        """Add what is typed without a name."""
        self._add(name, help_=help_, metavar=self.language.say(metavar), type=parse, **settings)

    def option(
        self, flag: str, help_: str, parse: Callable[[str], object], **settings: Any
    ) -> None:
        """Add an option with a value."""
        self._add(flag, help_=help_, type=parse, **settings)
        self.takes_value[flag] = True

    def switch(self, *flags: str, help_: str, action: str = "store_true") -> None:
        """Add an option without a value."""
        self._add(*flags, help_=help_, action=action)
        self.takes_value |= dict.fromkeys(flags, False)

    def _add(self, *names: str, help_: str, **settings: Any) -> None:
        language = self.language
        explained = language.say(
            help_,
            variants=VARIANT_NAMES,
            levels=language.items([*LEVELS]),
            searches=language.items([*SEARCHES]),
            position=f'"{EXAMPLE_POSITION}"',
            numbers=f'"{EXAMPLE_NUMBERS}"',
            n=f"{TimeLimits().function:g}",
            languages=language.items(LANGUAGES),
        )
        self._group.add_argument(*names, help=explained, **settings)

    def format_help(self) -> str:
        # Translators: a head in the help; leave the blank at its end.
        return super().format_help().replace("usage: ", self.language.say(N_("usage: ")), 1)

    def read(self, arguments: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
        """The options, and the words that are none."""
        try:
            return self.parse_known_intermixed_args(arguments)
        except UsageError as error:
            self.refuse(str(error))
        except argparse.ArgumentError as error:
            self.refuse(self.incomplete(error.argument_name))

    def error(self, message: str) -> NoReturn:
        """Called by argparse if a word is missing."""
        raise argparse.ArgumentError(None, message)

    def incomplete(self, option: str | None) -> str:
        if option is None:
            return self.language.say(N_("A file is missing, such as {file}."), file="tictactoe.py")
        option = option.rpartition("/")[2]  # of "-h/--help", the second
        needs_value = self.takes_value[option]
        text = N_("{option} needs a value.") if needs_value else N_("{option} takes no value.")
        return self.language.say(text, option=option)

    def refuse(self, problem: str) -> NoReturn:
        """End the program with what is wrong, and where to find help."""
        help_ = self.language.say(N_("Help: {command}"), command=f"{self.prog} --help")
        print(problem, help_, sep="\n", file=sys.stderr)
        raise SystemExit(2)


# Translators, from here on: in the help, of a command or one of its options.
def _add_play(parser: _Parser) -> None:
    values = parser.values
    parser.word(
        "opponent",
        N_("OPPONENT"),
        N_(
            "a level ({levels}), a search ({searches}), or your own tictactoe.py, whose minimax "
            "then plays; default: impossible"
        ),
        values.player,
        nargs="?",
        default=Level.IMPOSSIBLE,
    )
    parser.option(
        "--board",
        N_("columns, rows, and how many in a row win, from 3x3x3 to 5x5x5; {variants}"),
        values.rules,
        metavar="CxRxK",
        default=TIC_TAC_TOE,
    )
    parser.option("--first", N_("who plays X"), values.first, choices=FIRST)
    parser.switch("--self-play", help_=N_("I play both sides"))
    parser.switch("--hint", help_=N_("show what each move is worth"))
    parser.switch("--review", help_=N_("judge the moves at the end"))
    parser.switch("--watch", help_=N_("show what each search costs"))
    _add_seed(parser)
    _add_seconds(parser, N_("the most seconds for a move of your program (default: {n})"))


def _add_tree(parser: _Parser) -> None:
    help_ = N_("a position, such as {position}, or a tree of numbers, such as {numbers}")
    parse = parser.values.tree
    parser.word("tree", N_("TREE"), help_, parse, nargs="?", default=EXAMPLE_POSITION)
    parser.switch("--steps", help_=N_("follow alpha-beta through the tree, step by step"))


def _add_check(parser: _Parser) -> None:
    values, function = parser.values, parser.language.say(N_("FUNCTION"))
    _add_file(parser)
    parser.option("--only", N_("check this function alone"), values.function, metavar=function)
    steps = N_("follow your minimax on a board, such as {position}, step by step")
    parser.option("--steps", steps, values.followed, metavar=parser.language.say(N_("BOARD")))
    parser.switch("--json", help_=N_("the report as JSON"))
    _add_own(parser)
    help_ = N_("minimax has to cut off what it need not search")
    parser.option("--expect", help_, values.expected, choices=EXPECTED)
    _add_seconds(parser, N_("the most seconds for each function (default: {n})"))


def _add_contest(parser: _Parser) -> None:
    _add_file(parser)
    help_ = N_("another such file, or a level ({levels}); default: all levels")
    parser.word("opponent", N_("OPPONENT"), help_, parser.values.opponent, nargs="?")
    _add_own(parser)
    _add_seed(parser)
    _add_seconds(parser, N_("the most seconds for a move of a program (default: {n})"))


def _add_file(parser: _Parser) -> None:
    help_ = N_(
        "your own tictactoe.py, which docs/en/WRITE-YOUR-OWN.md shows how to write; or a folder of "
        "such files"
    )
    parser.word("file", N_("FILE"), help_, str, nargs="?")  # read with the other options
    parser.option(
        "--command",
        N_(
            "in place of FILE: what starts a program in any language, which reads boards and "
            "answers cells (docs/en/write-your-own/10-opponents.md)"
        ),
        parser.values.program,
        metavar=parser.language.say(N_("COMMAND")),
        dest="program",
    )


def _add_own(parser: _Parser) -> None:
    parser.switch("--own", help_=N_("what isn't your own is wrong, and the engine is out of reach"))


def _add_seed(parser: _Parser) -> None:
    parser.option("--seed", N_("make my choices repeatable"), parser.values.seed, metavar="N")


def _add_seconds(parser: _Parser, help_: str) -> None:
    default = TimeLimits().function
    parser.option("--seconds", help_, parser.values.seconds, metavar="N", default=default)


_COMMANDS: Mapping[str, tuple[str, Callable[[_Parser], None]]] = {
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
        add_options(
            commands.add_parser(name, language=language, help=say(help_), description=say(help_))
        )
    for parser in (program, *commands.choices.values()):
        parser.option(
            "--language",
            _LANGUAGE_HELP,
            parser.values.language_named,
            metavar=say(N_("LANGUAGE")),
        )
        parser.switch(*_HELP, help_=N_("show this help and exit"), action="help")
    return program, commands.choices
