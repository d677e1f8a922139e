"""The lesson on minimax: for a curious twelve-year-old, and correct. At most 40 words a screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import factorial

from bot.game.learn import Chapter
from bot.game.minimax import Minimax, Pruned, Sight, Sooner, Walk, Ways
from bot.texts.judgements import signed
from bot.texts.searches import SearchTexts
from bot.texts.trees import TreeTexts
from bot.texts.words import N_, NC_, PLAY, SYMBOLS, Language, Sentence, Texts
from engine import Value

TITLES: Mapping[Chapter, Sentence] = {
    Chapter.TREE: N_("The game tree"),
    Chapter.NUMBERS: N_("What the numbers mean"),
    Chapter.PRUNING: N_("Cutting branches off"),
    Chapter.SAVED: N_("What it saves"),
    Chapter.WAYS: N_("On a whole board"),
    Chapter.SOONER: N_("Sooner is better"),
    Chapter.LIMIT: N_("Stopping early"),
    Chapter.HORIZON: N_("The horizon"),
    Chapter.MIND: N_("How I think"),
}
NAVIGATION: Sequence[Sentence] = (
    # Translators: buttons that turn to the screen before, and to the next.
    NC_("screen", "Back"),
    NC_("screen", "Next"),
)
THEOREM = "https://en.wikipedia.org/wiki/Maker-Breaker_game"
"""A page that explains the theorem of Erdos and Selfridge."""


class MinimaxTexts(Texts):
    """How minimax works, and how Velha thinks, in one language."""

    def __init__(self, language: Language) -> None:
        super().__init__(language)
        self._trees = TreeTexts(language)
        self._searches = SearchTexts(language, self._trees)
        self.alternative = self._trees.alternative

    def screen(self, lesson: Minimax) -> str:
        """The whole text of a page."""
        match lesson:
            case Walk():
                lines = list(self._trees.walk(lesson))
            case Pruned():
                lines = [self._searches.pruned(lesson)]
            case Ways():
                lines = [self._searches.ways(lesson)]
            case Sooner():
                lines = [self._searches.sooner(lesson)]
            case Sight(page):
                is_first = page.chapter is Chapter.LIMIT
                lines = [self._limit(lesson) if is_first else self._horizon(lesson)]
                lines.append(f"-# {self._language.board(lesson.board.rules)}")
            case _:
                lines = [self._mind()]
        if lesson.page.is_on_match and isinstance(lesson, Pruned | Sooner):
            lines.append(self._("-# Another board, as an example."))
        chapter = lesson.page.chapter
        title = f"## {chapter}/{max(Chapter)} · {self._(TITLES[chapter])}"
        return "\n".join([title, *lines])

    def _limit(self, sight: Sight) -> str:
        board = sight.board
        # Translators: {games} is a number; {cell} a cell, {guess} a number with its sign.
        return self._(
            "Up to {games} games: too many. So the search stops early and **guesses**: lines "
            "open for ❌ minus lines open for ⭕. At depth **{depth}**, it picks {cell}: {guess}.",
            games=self._language.number(factorial(board.plies_left)),
            depth=sight.glimpse.depth,
            cell=f"**{board.rules.coordinate(sight.glimpse.action)}**",
            guess=self._guess(sight),
        )

    def _horizon(self, sight: Sight) -> str:
        if sight.glimpse.proven_worth.value is Value.WIN:
            # Translators: {other} is ⭕.
            said = N_(
                "At depth **{depth}**, {symbol} takes {cell}: {guess}. But then {other} can force "
                "a win. That was beyond the **horizon**. Look further!"
            )
        else:
            said = N_(
                "At depth **{depth}**, {symbol} finds {cell}: {guess}. What was beyond the horizon "
                "is now in sight."
            )
        return self._(
            said,
            depth=sight.glimpse.depth,
            symbol=SYMBOLS[sight.board.to_move],
            other=SYMBOLS[sight.board.to_move.other],
            cell=f"**{sight.board.rules.coordinate(sight.glimpse.action)}**",
            guess=self._guess(sight),
        )

    def _guess(self, sight: Sight) -> str:
        if sight.glimpse.guess is None:
            return self._(NC_("search", "a sure win"))
        # Translators: {guess} is a number with its sign.
        return self._("a guess of {guess}", guess=f"**{signed(sight.glimpse.guess)}**")

    def _mind(self) -> str:
        return self._(
            "On big boards I can't read everything. So I ask less: can I force a win? Can you? A "
            "threat leaves one reply, so there's little to read. And too few open lines can't win "
            "([Erdős-Selfridge]({link})).",
            link=THEOREM,
        )

    # Buttons

    def navigation_buttons(self) -> list[str]:
        return [self._(turn) for turn in NAVIGATION]

    def play_button(self) -> str:
        return self._(PLAY)

    def up_button(self) -> str:
        return self._(NC_("tree", "Up"))

    def depth_button(self, depth: int) -> str:
        return self._(NC_("button", "Depth {n}"), n=depth)
