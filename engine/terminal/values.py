"""The words and values that somebody types in a command, and what is wrong with one."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from engine.board import Board, BoardError, BoardFault, Mark
from engine.check.checks import FUNCTION_NAMES
from engine.check.command import words_of
from engine.check.file import programs_in
from engine.lessons import size_of_tree
from engine.levels import Level
from engine.record import GAMES
from engine.rules import Rules
from engine.terminal.game import SEARCHES
from engine.terminal.language import LANGUAGES, N_, Language, language_named, typed_word
from engine.terminal.tree import MAX_DRAWN_NODES
from engine.tree import Numbers
from engine.variants import VARIANTS

LEVELS: Mapping[str, Level] = {level.name.lower(): level for level in Level}
VARIANT_NAMES = " / ".join(sorted(rules.name for rules in VARIANTS.values()))
FIRST = ("me", "ai", "random")
EXPECTED = ("alphabeta",)
EXAMPLE_POSITION = "xo. xxo ..o"
EXAMPLE_NUMBERS = "3 12 8 / 2 4 6 / 14 5 2"
MAX_FOLLOWED = 5
"""With more free squares, nobody reads the steps of a plain minimax."""
_MAX_NUMBERS = 100
_MAX_NUMBER = 999

_Named = TypeVar("_Named")


class UsageError(Exception):
    """What was typed can't be done; the message tells the person why."""


# Translators, from here on: said in a terminal, of what somebody typed. Words that are typed, such
# as 3x3x3 or alphabeta, stay as they are.
_FAULTS: Mapping[BoardFault, str] = {
    BoardFault.ROWS: N_(
        '"{typed}" isn\'t three rows of three, such as "{position}", nor numbers, such as '
        '"{numbers}".'
    ),
    BoardFault.SYMBOLS: N_('"{typed}" has more in it than x, o and dots for free squares.'),
    BoardFault.TURNS: N_(
        '"{typed}" can\'t arise: X begins and both take turns, but there are {x} X and {o} O.'
    ),
    BoardFault.PLAYED_ON: N_('"{typed}" can\'t arise: somebody played on after a win.'),
}
"""Why a text is no position of 3x3; for two lines without a common cell it is too small."""


def meant(typed: str, names: Collection[str], language: Language) -> str:
    """Which name may have been meant, or all that there are."""
    by_word = {name.strip("-"): name for name in names}
    if close := get_close_matches(typed.strip("-").lower(), by_word, n=1):
        return language.say(N_("Did you mean {name}?"), name=by_word[close[0]])
    return language.say(N_("Type one of these: {names}."), names=language.items([*names]))


class Values:
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
            raise UsageError(self.say(unknown, typed=text, others=VARIANT_NAMES))
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

    def followed(self, text: str) -> Board:
        """A position in which a learner's `minimax` can be followed."""
        try:
            board = Board.parse(text)
        except BoardError as error:
            if error.fault is not BoardFault.ROWS:
                raise UsageError(self._fault(text, error.fault)) from None
            unusable = N_('"{typed}" isn\'t three rows of three, such as "{position}".')
            raise UsageError(self.say(unusable, typed=text, position=EXAMPLE_POSITION)) from None
        if board.is_terminal:
            raise UsageError(self.say(N_('"{typed}" is over: there is no move.'), typed=text))
        if len(board.free_cells) > MAX_FOLLOWED:
            too_large = self._language.ngettext(
                "{n} square is free, and I follow {most} at most: fill more squares.",
                "{n} squares are free, and I follow {most} at most: fill more squares.",
                len(board.free_cells),
                most=self._language.number(MAX_FOLLOWED),
            )
            raise UsageError(too_large)
        return board

    def _fault(self, text: str, fault: BoardFault) -> str:
        """Why a text is no position of 3x3."""
        return self.say(
            _FAULTS[fault],
            typed=text,
            position=EXAMPLE_POSITION,
            numbers=EXAMPLE_NUMBERS,
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
                    numbers=EXAMPLE_NUMBERS,
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

    def file_or_folder(self, text: str) -> Path:
        """A file, or a folder with programs in it."""
        path = Path(text)
        if not path.is_dir():
            return self.file(text)
        if not programs_in(path):
            empty = N_('There\'s no program in "{typed}": no .py file, and no tictactoe.py.')
            raise UsageError(self.say(empty, typed=text))
        return path

    def program(self, text: str) -> Sequence[str]:
        """The words of a command, which starts a program in any language."""
        words = words_of(text)
        if words is None:
            problem = N_('I can\'t find the program of "{typed}": does it run if you type that?')
            raise UsageError(self.say(problem, typed=text))
        return words

    def player(self, text: str) -> Level | str | Path:
        """A level, the name of a search, or a file."""
        return self._named_or_file(text, {**LEVELS, **{name: name for name in SEARCHES}})

    def opponent(self, text: str) -> Level | Path:
        """A level or a file."""
        return self._named_or_file(text, LEVELS)

    def _named_or_file(self, text: str, named: Mapping[str, _Named]) -> _Named | Path:
        if typed_word(text) in named:
            return named[typed_word(text)]
        path = Path(text)
        if path.is_file():
            return path
        problem = self.say(N_('There\'s no player "{typed}", nor a file of that name.'), typed=text)
        raise UsageError(f"{problem} {meant(text, named, self._language)}")

    def function(self, text: str) -> str:
        return self._one_of(FUNCTION_NAMES, text, N_('There\'s no function "{typed}".'))

    def first(self, text: str) -> str:
        return self._one_of(FIRST, text, N_('"{typed}" can\'t begin.'))

    def expected(self, text: str) -> str:
        return self._one_of(EXPECTED, text, N_('I can\'t expect "{typed}".'))

    def _one_of(self, names: Collection[str], text: str, problem: str) -> str:
        if text in names:
            return text
        raise UsageError(f"{self.say(problem, typed=text)} {meant(text, names, self._language)}")

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
