"""A language: its sentences, its formats, and the words that all screens share."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Literal, NamedTuple

from babel.dates import format_date, format_timedelta
from babel.lists import format_list
from babel.numbers import format_decimal, format_percent

from bot.domain.ids import DELETED_USER_ID
from bot.domain.matches import HeadToHead
from bot.views.catalogues import Catalogue, catalogue_of, language_of
from bot.views.symbols import PLAIN_SYMBOLS, SYMBOLS, Symbols
from engine import INFINITE, MISERE, TIC_TAC_TOE, Board, Cell, Level, Mark, Rules

MINUS = "\N{MINUS SIGN}"  # screen readers skip a hyphen


class InContext(NamedTuple):
    """An ambiguous English sentence; `context` tells translators which meaning is meant."""

    context: str
    english: str


Sentence = str | InContext

# gettext's usual markers, by which `make texts` finds sentences; `Language.say` translates them.
N_ = str

NC_ = InContext

# Translators, from here on: words on many screens. A label of a button has about 20 letters.
# Translators: a button that opens a match.
PLAY = NC_("help", "Play")

# Translators: a button, or a link, that leads to the board of a match.
GO_TO_BOARD = NC_("button", "Go to the board")

# Translators: under a position, of about 10 letters: goes on from there, against the bot.
PLAY_ON = NC_("button", "Play on")

# Translators, from here on: names of the levels, the lowest first: in brackets behind a name, in
# lists and on buttons, so a word or two.
LEVELS: Mapping[Level, Sentence] = {
    # Translators: the choices of `/velha start` begin with these same names.
    Level.CHILD: NC_("level", "child's play"),
    Level.EASY: NC_("level", "easy"),
    Level.MEDIUM: NC_("level", "medium"),
    Level.HARD: NC_("level", "hard"),
    Level.EXPERT: NC_("level", "expert"),
    Level.PERFECT: NC_("level", "perfect"),
    Level.IMPOSSIBLE: NC_("level", "impossible"),
}

# Translators, from here on: games in small print under a board, about 60 letters.
GAME_RULES: Mapping[Rules, Sentence] = {
    # Translators: games, and how they are played; a mark is ❌ or ⭕.
    INFINITE: N_("infinite: your fourth mark makes your oldest vanish"),
    # Translators: the game played backwards, which experts call misère.
    MISERE: N_("reverse: three in a row loses"),
}

# Translators, from here on: games by a short name, in lists of results and settings: about 25
# letters.
GAME_NAMES: Mapping[Rules, Sentence] = {
    TIC_TAC_TOE: N_("3x3"),
    INFINITE: NC_("game", "infinite"),
    MISERE: NC_("game", "reverse"),
}


_WITHOUT_SPACES = {"ja", "zh_Hans", "zh_Hant"}

_FORMATS = {"en": "en_GB"}
"""By language, Unicode's locale for formats, where it isn't the language itself."""

_DAYS = {"th": "d MMMM y"}
"""Unicode's patterns for days where its own are not what people write, by language."""

_FIRST_OF_MONTH = {"fr": "1'er' MMMM y", "it": "1'º' MMMM y", "pt_BR": "1'º' 'de' MMMM 'de' y"}

_THOUSANDS = {"es": "\N{NARROW NO-BREAK SPACE}"}
"""Separators other than Unicode's; half of those who speak Spanish read "1.234" as a decimal."""

_UNGROUPED = {"es", "pl"}
"""Languages that write four digits without a separator."""


# Translators, from here on: everyone reads it on a board, in one line of a phone: about 40
# letters. {x} and {o} are names.
class Language:
    """One language: its catalogue, its way to write lists, numbers and days, and the symbols."""

    def __init__(self, catalogue: Catalogue, symbols: Symbols = PLAIN_SYMBOLS) -> None:
        self.code = catalogue.language
        self.symbols = symbols
        self._catalogue = catalogue
        self._formats = _FORMATS.get(self.code, self.code)

    def say(self, sentence: Sentence, **values: object) -> str:
        """A sentence in this language, with its placeholders filled."""
        if isinstance(sentence, InContext):
            return self._catalogue.pgettext(*sentence, values)
        return self._catalogue.gettext(sentence, values)

    def ngettext(self, singular: str, plural: str, n: int, **values: object) -> str:
        """The singular or plural form for `n`, with its placeholders filled, `{n}` among them."""
        return self._catalogue.ngettext(singular, plural, n, {"n": self.number(n), **values})

    def versus(self, x: str, o: str) -> str:
        """Who plays whom."""
        return self.say(
            N_("{x_symbol} {x}  vs  {o_symbol} {o}"),
            x_symbol=SYMBOLS[Mark.X],
            x=x,
            o_symbol=SYMBOLS[Mark.O],
            o=o,
        )

    def head_to_head(self, first: int, second: int, head_to_head: HeadToHead) -> str:
        """The score between two people."""
        score = self.say(
            # Translators: a score: how often either person has won.
            N_("{first} {won}–{lost} {second}"),
            first=self.mention(first),
            won=self.number(head_to_head.won),
            lost=self.number(head_to_head.lost),
            second=self.mention(second),
        )
        if not head_to_head.drawn:
            return score
        draws = self.ngettext("{n} draw", "{n} draws", head_to_head.drawn)
        return f"{score} · {draws}"

    def mention(self, user_id: int) -> str:
        """A mention, which Discord shows as a name; "someone" if the person's data is deleted."""
        if user_id == DELETED_USER_ID:
            return self.say(NC_("player", "someone"))
        return f"<@{user_id}>"

    def member(self, user_id: int, gone: Collection[int]) -> str:
        """A mention, which Discord shows as a number if the person is `gone` from the server."""
        if user_id in gone:
            # Translators: in place of the name of a person who is no longer in the server, in a
            # ranking.
            return self.say(NC_("player", "someone who left"))
        return self.mention(user_id)

    def rules(self, rules: Rules) -> str:
        """The game and its rule, in a few words."""
        if rules in GAME_RULES:
            return self.say(GAME_RULES[rules])
        return self.say(
            # Translators: the size of a board, and how many marks in a row win on it.
            N_("{columns}x{rows}, {in_a_row} in a row wins"),
            columns=rules.columns,
            rows=rules.rows,
            in_a_row=rules.in_a_row,
        )

    def game_name(self, rules: Rules) -> str:
        """The game by a short name."""
        if rules in GAME_NAMES:
            return self.say(GAME_NAMES[rules])
        return self.say(
            # Translators: the size of a board, and how many marks in a row win there.
            N_("{columns}x{rows} ({in_a_row} in a row)"),
            columns=rules.columns,
            rows=rules.rows,
            in_a_row=rules.in_a_row,
        )

    def vanishing_next(self, board: Board) -> list[str]:
        """Which mark the next move makes vanish, if any."""
        if board.vanishing is None:
            return []
        symbol = SYMBOLS[board.to_move]
        cell = board.rules.coordinate(board.vanishing)
        # Translators: the mark that vanishes with the next move, such as "❌ A1 vanishes next".
        return [self.say(N_("{symbol} {cell} vanishes next"), symbol=symbol, cell=cell)]

    def cells(self, rules: Rules, cells: Iterable[Cell]) -> str:
        """The cells as a list."""
        return self.listed(map(rules.coordinate, cells))

    def any_cell(self, rules: Rules, cells: Iterable[Cell]) -> str:
        """The cells as a list, one "or" the other."""
        return self._alternatives(map(rules.coordinate, cells))

    def sentences(self, *sentences: str) -> str:
        """Sentences on one line; Chinese and Japanese leave no space between them."""
        separator = "" if self.code in _WITHOUT_SPACES else " "
        return separator.join(sentences)

    def labelled(self, label: str, text: str) -> str:
        # Translators: a label and what belongs to it, such as "Ranking: on".
        return self.say(N_("{label}: {text}"), label=label, text=text)

    def marks(self, board: Board) -> str:
        """Where the marks are, for people who cannot see the board."""
        texts = []
        for mark in Mark:
            cells = board.held_by(mark)
            if cells:
                texts.append(f"{SYMBOLS[mark]} {self.cells(board.rules, cells)}")
        return " · ".join(texts)

    def channels(self, channel_ids: Iterable[int]) -> str:
        """The channels as a list; Discord shows their names."""
        return self.listed(map(_channel_mention, channel_ids))

    def any_channel(self, channel_ids: Iterable[int]) -> str:
        """The channels as a list, one "or" the other."""
        return self._alternatives(map(_channel_mention, channel_ids))

    def listed(self, labels: Iterable[str]) -> str:
        """Labels one after the other: an "and" would be prose."""
        comma = "、" if self.code in _WITHOUT_SPACES else ", "
        return comma.join(labels)

    def _alternatives(self, labels: Iterable[str]) -> str:
        # Unicode's Chinese leaves no space between Latin letters and its "or".
        return format_list([*labels], "or", self._formats).replace("或", " 或 ")

    def duration(self, minutes: int) -> str:
        """A duration in hours if it is a whole number of them, else in minutes."""
        is_whole_hours = minutes > 0 and minutes % 60 == 0
        unit: Literal["minute", "hour"] = "hour" if is_whole_hours else "minute"
        # Below an infinite threshold no unit is taken but this one.
        duration = format_timedelta(
            timedelta(minutes=minutes), granularity=unit, threshold=math.inf, locale=self._formats
        )
        return self._without_spaces(duration)

    def days(self, n: int) -> str:
        """A duration of so many days."""
        duration = format_timedelta(
            timedelta(days=n), granularity="day", threshold=math.inf, locale=self._formats
        )
        return self._without_spaces(duration)

    def _without_spaces(self, duration: str) -> str:
        return duration.replace(" ", "") if self.code == "ja" else duration

    def number(self, number: int) -> str:
        return _format_number(number, self.code)

    def percent(self, share: float) -> str:
        return format_percent(share, locale=self.code)

    def day(self, day: date) -> str:
        pattern = _DAYS.get(self.code, "long")
        if day.day == 1:
            pattern = _FIRST_OF_MONTH.get(self.code, pattern)
        return format_date(day, pattern, self._formats)


@lru_cache(maxsize=1_000)
def _format_number(number: int, code: str) -> str:
    if code in _UNGROUPED and abs(number) < 10_000:
        return str(number)
    if code in _THOUSANDS:
        return f"{number:,}".replace(",", _THOUSANDS[code])
    return format_decimal(number, locale=code)


def _channel_mention(channel_id: int) -> str:
    return f"<#{channel_id}>"


def with_sign(number: int) -> str:
    """A number with its sign; 0 has none."""
    return with_minus(f"{number:+d}") if number else "0"


def with_minus(text: str) -> str:
    """Replace hyphens by minus signs, which screen readers read aloud."""
    return text.replace("-", MINUS)


def time_timestamp(time: datetime) -> str:
    """A timestamp that Discord shows as a time of day in the reader's time zone."""
    return f"<t:{int(time.timestamp())}:t>"


def relative_timestamp(time: datetime) -> str:
    """A timestamp that Discord shows relative to now, in the reader's language."""
    return f"<t:{int(time.timestamp())}:R>"


@lru_cache(maxsize=128)  # Discord has some thirty locales
def language_for(locale: str, symbols: Symbols = PLAIN_SYMBOLS) -> Language:
    """The language for a Discord locale such as `pt-BR`; English if there is no better."""
    return Language(catalogue_of(language_of(locale)), symbols)
