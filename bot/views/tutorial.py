"""The tutorial on minimax, for a curious twelve-year-old: at most 40 words a screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import factorial
from typing import Any, NamedTuple

import discord
from discord import ButtonStyle, ui

from bot.domain.ids import CommandButton, custom_id
from bot.domain.tutorial import (
    CHAPTERS,
    CUT_RULES,
    DEPTHS,
    EXAMPLE_GAME,
    STEPS,
    UNREAD_NAMES,
    WALKABLE,
    Chapter,
    DepthLimitDemo,
    Diagram,
    DiagramNode,
    FastestWin,
    NodeStyle,
    OwnTree,
    PruningDemo,
    Question,
    SearchComparison,
    TreeWalk,
    TutorialContent,
    TutorialPage,
    question_of,
    shows_answer,
)
from bot.views.components import (
    CellStyle,
    board_rows,
    button,
    container_view,
    utility_styles,
)
from bot.views.i18n import N_, NC_, PLAY, SYMBOLS, Language, Sentence, Symbols, Texts
from bot.views.verdicts import with_minus, with_sign
from engine import Mark, Value, Way, depth_within_reach, small_tree
from engine.terminal.columns import columns, ljust, rjust

# Translators, from here on: a lesson for curious twelve-year-olds, at most 40 words a screen.
# {number} is +1, 0 or -1, {cell} a cell. **max** and **min** stand in the picture too: keep them
# in brackets.
CHOOSES: Mapping[Mark, Sentence] = {
    Mark.X: N_("❌ takes the **largest** (max): **{number}**, with {cell}."),
    Mark.O: N_("⭕ takes the **smallest** (min): **{number}**, with {cell}."),
}

ENDS: Mapping[int, Sentence] = {
    1: N_("The game is over: ❌ has won."),
    -1: N_("The game is over: ⭕ has won."),
    0: N_("The game is over: a draw."),
}

# Translators, from here on: in words for people who cannot see the picture of a tree.
# Translators: of boards in the picture of a tree, where they stand in brackets.
CUT = NC_("branch", "cut")

TAKEN = NC_("branch", "taken")

HERE = NC_("branch", "you are here")


# Translators, from here on: a lesson for curious twelve-year-olds, at most 40 words a screen.
# **Up** is a button: as you translate it there. {symbol} is ❌ or ⭕.
class TreeTexts(Texts):
    """A game tree, in one language."""

    def position(self, walk: TreeWalk) -> Iterator[str]:
        """The text for the position that was walked to."""
        page = walk.page
        if page.chapter is Chapter.TREE:
            yield self._tree(page)
        elif shows_answer(walk):
            yield self._value_answer(walk)
        else:
            yield self.prompt(page, self._value_question(page))
        if page.is_on_match and page == TutorialPage(page.record):
            yield self._("-# This channel's match: if it's yours, this counts as a hint.")

    def _tree(self, page: TutorialPage) -> str:
        board = page.board
        free_cells = len(board.actions())
        if board.is_terminal:
            # Translators: the end of a game, in a game tree.
            leaf = self._("This is a **leaf** of the tree. Go **Up** and try another branch.")
            return self._language.sentences(self._(ENDS[board.utility]), leaf)
        if page.path:
            return self._(
                "{symbol}'s turn. Press a free cell to go down, or **Up** to go back.",
                symbol=SYMBOLS[board.to_move],
            )
        if small_tree(board):
            return self._(
                "Here's all that can still happen. Each line between boards is a move; a board "
                "with nothing below is a finished game. That's the **game tree**. Press a free "
                "cell to go down."
            )
        return self._language.ngettext(
            "{symbol}'s choices: **{free}**. With every reply, that's up to {n} game: the **game "
            "tree**. Press a free cell to go down.",
            "{symbol}'s choices: **{free}**. With every reply, that's up to {n} games: the **game "
            "tree**. Press a free cell to go down.",
            factorial(free_cells),
            symbol=SYMBOLS[board.to_move],
            free=free_cells,
        )

    def _value_question(self, page: TutorialPage) -> str:
        if page.board.is_terminal:
            return self._(
                "At the bottom, the rules decide: **+1** if ❌ has won, **{minus_one}** if "
                "⭕ has, **0** for a draw. Which number goes here?",
                minus_one=with_sign(-1),
            )
        # Translators: {minus_one} is -1, with the sign that is read aloud.
        return self._(
            "❌ has won: **+1**. ⭕ has won: **{minus_one}**. A draw: **0**. Further up, ❌ takes "
            "the **largest** number (max), ⭕ the **smallest** (min). Which number goes here?",
            minus_one=with_sign(-1),
        )

    def _value_answer(self, walk: TreeWalk) -> str:
        board = walk.page.board
        number = with_sign(walk.utility)
        if board.is_terminal:
            why = self._language.sentences(self._(ENDS[board.utility]), f"**{number}**")
        else:
            cell = board.rules.coordinate(walk.chosen)
            why = self._(CHOOSES[board.to_move], number=number, cell=f"**{cell}**")
        if walk.page.path:
            more = self._("Now go **Up**: which number belongs there?")
        else:
            more = self._(
                "So each number says how the game ends if nobody makes a mistake. "
                "That's **minimax**."
            )
        answer = self._language.sentences(self.feedback(walk), why)
        return f"{answer}\n{more}"

    def prompt(self, page: TutorialPage, question: str) -> str:
        """A question, asked for the first time or once more after a wrong answer."""
        if page.answer is None:
            return question
        again = self._("Not quite. Try once more!")
        return self._language.sentences(again, question)

    def feedback(self, content: TutorialContent) -> str:
        """Whether an answer was right."""
        question = question_of(content)
        is_right = question is not None and content.page.answer == question.right
        return self._("Right!") if is_right else self._("Not quite.")

    def alt_text(self, diagram: DiagramNode) -> str:
        """The tree in words, for people who cannot see its picture."""
        board = diagram.board
        branches = "; ".join(map(self._branch, diagram.children))
        # Translators: {tree} is a list of moves, each with those that can follow in brackets.
        return self._(
            "Game tree. {marks}. {symbol}'s turn{notes}: {tree}.",
            marks=self._language.marks(board) or self._("An empty board"),
            symbol=SYMBOLS[board.to_move],
            notes="".join(f", {note}" for note in self._notes(diagram)),
            tree=branches,
        )

    def _branch(self, diagram: DiagramNode) -> str:
        assert diagram.action is not None, "every board but the first comes by a move"
        cell = diagram.board.rules.coordinate(diagram.action)
        move = " ".join([cell, *self._notes(diagram)])
        replies = ", ".join(map(self._branch, diagram.children))
        return f"{move} ({replies})" if replies else move

    def _notes(self, diagram: DiagramNode) -> Iterator[str]:
        """A board's captions, and in words how it is drawn."""
        if diagram.style is NodeStyle.CUT:
            yield self._(CUT)
        yield from map(with_minus, diagram.captions)
        if diagram.is_chosen:
            yield self._(TAKEN)
        if diagram.style is NodeStyle.CURRENT:
            yield self._(HERE)


class _QuestionAndAnswer(NamedTuple):
    """What a page on cut branches asks, and what it says once the answer is known."""

    question: Sentence
    answer: Sentence


# Translators, from here on: questions on the picture of a game tree, and what is said of the
# answers. {first}, {second} are cells; {sure}, {reply} numbers with their signs; {a}, {b} letters
# in the picture.
_PRUNING: Mapping[Chapter, _QuestionAndAnswer] = {
    Chapter.ALPHA: _QuestionAndAnswer(
        N_("Read from the left. ❌ plays {first}, then ⭕ chooses. What is ❌ sure of here?"),
        N_("With {first}, ❌ gets **{sure}** at least. What ❌ is sure of is called **alpha**."),
    ),
    Chapter.BETA: _QuestionAndAnswer(
        N_("Next, {second}. ⭕ has found this reply so far. What can ❌ get here, at most?"),
        N_("**{reply}**. ⭕ has that now, and may find even less. What ⭕ is sure of is **beta**."),
    ),
    Chapter.PRUNING: _QuestionAndAnswer(
        N_(
            "{first} is worth **{sure}** to ❌. After {second}, ⭕ has found **{reply}**. What can "
            "you skip: **{a}**, **{b}**, or both?"
        ),
        N_(
            "❌ has {sure} already. With {second} it's {reply} at most, whatever **{a}** holds. "
            "But **{b}** might be better."
        ),
    ),
    Chapter.RULE: _QuestionAndAnswer(
        N_("So **{a}** was cut: alpha was {sure}, beta was {reply}. When can you always cut?"),
        N_("**Cut when {rule}.** ❌ has {sure} elsewhere, so ❌ never comes here for {reply}."),
    ),
    Chapter.SAVED: _QuestionAndAnswer(
        N_(
            "The grey boards were never read. Plain minimax visits every board in this picture, "
            "the top one too. How many visits does alpha-beta save?"
        ),
        N_(
            "Count the grey boards: **{saved}**. Alpha-beta makes **{visits}** visits, plain "
            "minimax {all}, and both find **{number}**."
        ),
    ),
}


def _tree_of_leaves(tree: OwnTree, *, is_answered: bool) -> str:
    """A tree of two branches with three leaves each, drawn with characters."""
    alpha = beta = value = "?"
    right = [with_sign(leaf) for leaf in tree.right]
    if is_answered:
        alpha = with_sign(tree.alpha)
        beta = f"≤{with_sign(tree.beta)}" if tree.unread else with_sign(tree.beta)
        value = with_sign(tree.value)
        right = [with_sign(leaf) for leaf in tree.read] + ["·"] * tree.unread
    left_row = "".join(f"{with_sign(leaf):>3}" for leaf in tree.left)
    right_row = "".join(f"{leaf:>3}" for leaf in right)
    lines = (
        f"max  {value:^23}",
        f"     {'┌─────┴─────┐':^23}",
        f"min {alpha:^12}{beta:^12}",
        f"    {'┌──┼──┐':^12}{'┌──┼──┐':^12}",
        f"    {left_row:^12}{right_row:^12}",
    )
    return "\n".join(["```", *(line.rstrip() for line in lines), "```"])


# Translators, from here on: a line of a table in letters of equal width: about 12 letters.
WAYS: Mapping[Way, Sentence] = {
    Way.PLAIN: N_("minimax"),
    Way.PRUNED: N_("alpha-beta"),
    Way.ORDERED: N_("+ order"),
    Way.WITH_MEMORY: N_("+ memory"),
    # Translators: both order and memory.
    Way.WITH_BOTH: N_("+ both"),
}


# Translators, from here on: a lesson for curious twelve-year-olds, at most 40 words a screen.
# **alpha** and **beta** stand in the picture too: keep them recognisable. {n} and {all} count
# positions that were read.
class SearchTexts(Texts):
    """Searches, in one language."""

    def __init__(self, language: Language, trees: TreeTexts) -> None:
        super().__init__(language)
        self._trees = trees

    def pruning(self, demo: PruningDemo) -> str:
        """A question about cut branches, or how its answer was."""
        texts = _PRUNING[demo.page.chapter]
        coordinate = demo.tree.board.rules.coordinate
        assert demo.best_before_cut.action is not None
        assert demo.cut_node.action is not None
        values = {
            "first": coordinate(demo.best_before_cut.action),
            "second": coordinate(demo.cut_node.action),
            "sure": with_sign(demo.best_before_cut.value),
            "reply": with_sign(demo.refutation.value),
            "a": UNREAD_NAMES[0],
            "b": UNREAD_NAMES[1],
            "rule": CUT_RULES[1],
            "saved": demo.saved,
            "visits": demo.visits,
            "all": demo.saved + demo.visits,
            "number": with_sign(demo.tree.value),
        }
        if shows_answer(demo):
            return self._language.sentences(
                self._trees.feedback(demo), self._(texts.answer, **values)
            )
        return self._trees.prompt(demo.page, self._(texts.question, **values))

    def own_tree(self, tree: OwnTree) -> str:
        """The tree whose leaves the reader chooses, and what alpha-beta reads of it."""
        is_answered = shows_answer(tree)
        picture = _tree_of_leaves(tree, is_answered=is_answered)
        if not is_answered:
            question = self._(
                "Change the numbers at the bottom: press them. Alpha-beta reads from the left. How "
                "many of them does it never read?"
            )
            return f"{picture}\n{self._trees.prompt(tree.page, question)}"
        if tree.unread:
            # Translators: {alpha}, {beta} are numbers with their signs.
            why = self._(
                "On the left, ❌ is sure of **{alpha}**. On the right, ⭕ finds **{beta}**: the "
                "rest is cut. Change a number and guess again!",
                alpha=with_sign(tree.alpha),
                beta=with_sign(tree.beta),
            )
        else:
            why = self._(
                "On the left, ❌ is sure of **{alpha}**. On the right, nothing could be left out. "
                "Change a number and guess again!",
                alpha=with_sign(tree.alpha),
            )
        return f"{picture}\n{self._language.sentences(self._trees.feedback(tree), why)}"

    def comparison(self, comparison: SearchComparison) -> str:
        """A table of how many nodes each search visits, and why."""
        searches = comparison.searches
        names = {way: self._(name) for way, name in WAYS.items()}
        visits = {way: self._language.number(searches[way].nodes) for way in names}
        name_width = max(map(columns, names.values()))
        visits_width = max(map(columns, visits.values()))
        table = "\n".join(
            f"{ljust(names[way], name_width)}  {rjust(visits[way], visits_width)}" for way in names
        )
        is_cheaper = searches[Way.ORDERED].nodes <= searches[Way.PRUNED].nodes
        order = (
            self._("Order: good-looking moves first. Memory: hardly anything is read twice.")
            if is_cheaper
            else self._("Order: good-looking moves first; here that costs more. Memory helps.")
        )
        return f"{self._reach(comparison)}\n```\n{table}\n```\n{order}"

    def _reach(self, comparison: SearchComparison) -> str:
        """How far the searches look ahead, and the value that all of them find."""
        board = comparison.board
        number = with_sign(int(comparison.searches[Way.PLAIN].value))
        depth = depth_within_reach(board)
        if depth < board.plies_left:
            return self._language.ngettext(
                "Visits from the match's board, only {n} move ahead. So far, each finds "
                "**{number}**:",
                "Visits from the match's board, only {n} moves ahead. So far, each finds "
                "**{number}**:",
                depth,
                number=number,
            )
        if board.plies == 0:
            return self._("Visits from the empty board. Each finds **{number}**:", number=number)
        return self._(
            "Visits from the match's board to the end. Each finds **{number}**:", number=number
        )

    def fastest_win(self, demo: FastestWin) -> str:
        """The question which of two wins to take, or why the sooner one is better."""
        rules = demo.fastest.board.rules
        wins = [verdict.action for verdict in demo.wins]
        if not shows_answer(demo):
            question = self._(
                "{cells} are both **+1**. A search that knows only {minus_one}, 0 and +1 takes "
                "the first it reads: {first}. Which would you take?",
                cells=self._language.cells(rules, wins),
                minus_one=with_sign(-1),
                first=f"**{rules.coordinate(wins[0])}**",
            )
            return self._trees.prompt(demo.page, question)
        why = self._(
            "**{soonest}** wins now, {first} only later. With +1 alone, a win can wait and "
            "wait. So **depth** goes into the score: win sooner, lose later.",
            soonest=rules.coordinate(demo.fastest.action),
            first=rules.coordinate(wins[0]),
        )
        return self._language.sentences(self._trees.feedback(demo), why)


# Translators, from here on: the heading of a lesson's screen: about 25 letters.
TITLES: Mapping[Chapter, Sentence] = {
    Chapter.TREE: N_("The game tree"),
    Chapter.NUMBERS: N_("What the numbers mean"),
    Chapter.ALPHA: N_("Cutting branches off"),
    Chapter.BETA: N_("Cutting branches off"),
    Chapter.PRUNING: N_("Cutting branches off"),
    Chapter.RULE: N_("Cutting branches off"),
    Chapter.SAVED: N_("What it saves"),
    Chapter.OWN_TREE: N_("A tree of your own"),
    Chapter.COMPARISON: N_("On a whole board"),
    Chapter.FASTEST_WIN: N_("Sooner is better"),
    Chapter.LIMIT: N_("Stopping early"),
    Chapter.HORIZON: N_("The horizon"),
    Chapter.BOT: N_("How I think"),
}

# Translators, from here on: buttons under a lesson: about 12 letters.
# Translators: buttons that turn to the screen before, and to the next.
BACK = NC_("screen", "Back")

NEXT = NC_("screen", "Next")

THEOREM = "https://en.wikipedia.org/wiki/Maker-Breaker_game"
"""A page that explains the theorem of Erdos and Selfridge."""


# Translators, from here on: a lesson for curious twelve-year-olds, at most 40 words a screen.
class TutorialTexts(Texts):
    """How minimax works, and how Velha thinks, in one language."""

    def __init__(self, language: Language) -> None:
        super().__init__(language)
        self._trees = TreeTexts(language)
        self._searches = SearchTexts(language, self._trees)

    def alt_text(self, picture: Diagram) -> str:
        """The alternative text of a picture, for people who cannot see it."""
        return self._trees.alt_text(picture.root)

    def screen(self, content: TutorialContent) -> str:
        """The whole text of a page."""
        match content:
            case TreeWalk():
                lines = list(self._trees.position(content))
            case PruningDemo():
                lines = [self._searches.pruning(content)]
            case OwnTree():
                lines = [self._searches.own_tree(content)]
            case SearchComparison():
                lines = [self._searches.comparison(content)]
            case FastestWin():
                lines = [self._searches.fastest_win(content)]
            case DepthLimitDemo(page):
                is_first = page.chapter is Chapter.LIMIT
                lines = [self._limit(content) if is_first else self._horizon(content)]
                lines.append(f"-# {self._language.board(content.board.rules)}")
            case _:
                lines = [self._overview()]
        if content.page.is_on_match and isinstance(content, PruningDemo | FastestWin):
            lines.append(self._("-# Another board, as an example."))
        return "\n".join([f"## {self._title(content.page.chapter)}", *lines])

    def _title(self, step: Chapter) -> str:
        """The chapter's number and name and, if it has several steps, which of them this is."""
        number, steps = next(
            (number, steps) for number, steps in enumerate(CHAPTERS, start=1) if step in steps
        )
        title = f"{number}/{len(CHAPTERS)} · {self._(TITLES[step])}"
        if len(steps) == 1:
            return title
        return f"{title} ({steps.index(step) + 1}/{len(steps)})"

    def _limit(self, demo: DepthLimitDemo) -> str:
        board = demo.board
        # Translators: {cell} is a cell.
        return self._language.ngettext(
            "Up to {n} game: too many. So the search stops early and **guesses**: lines "
            "open for ❌ minus lines open for ⭕. The cells show it at depth **{depth}**: "
            "{cell} is best.",
            "Up to {n} games: too many. So the search stops early and **guesses**: lines "
            "open for ❌ minus lines open for ⭕. The cells show it at depth **{depth}**: "
            "{cell} is best.",
            factorial(board.plies_left),
            depth=demo.glimpse.depth,
            cell=f"**{board.rules.coordinate(demo.glimpse.action)}**",
        )

    def _horizon(self, demo: DepthLimitDemo) -> str:
        if demo.glimpse.proven_worth.value is Value.WIN:
            # Translators: {other} is ⭕.
            sentence = N_(
                "At depth **{depth}**, {symbol} takes {cell}: {guess}. But then {other} can force "
                "a win. That was beyond the **horizon**. Look further!"
            )
        else:
            sentence = N_(
                "At depth **{depth}**, {symbol} finds {cell}: {guess}. What was beyond the horizon "
                "is now in sight."
            )
        return self._(
            sentence,
            depth=demo.glimpse.depth,
            symbol=SYMBOLS[demo.board.to_move],
            other=SYMBOLS[demo.board.to_move.other],
            cell=f"**{demo.board.rules.coordinate(demo.glimpse.action)}**",
            guess=self._guess(demo),
        )

    def _guess(self, demo: DepthLimitDemo) -> str:
        if demo.glimpse.guess is None:
            return self._(NC_("search", "a sure win"))
        # Translators: {guess} is a number with its sign.
        return self._("a guess of {guess}", guess=f"**{with_sign(demo.glimpse.guess)}**")

    def _overview(self) -> str:
        return self._(
            "On big boards I can't read everything. So I ask less: can I force a win? Can you? A "
            "threat leaves one reply: little to read. With too few open lines you can't win "
            "([Erdős-Selfridge]({link})).",
            link=THEOREM,
        )

    # Buttons

    def back_button(self) -> str:
        return self._(BACK)

    def next_button(self) -> str:
        return self._(NEXT)

    def play_button(self) -> str:
        return self._(PLAY)

    def up_button(self) -> str:
        return self._(NC_("tree", "Up"))

    def depth_button(self, depth: int) -> str:
        return self._(NC_("button", "Depth {n}"), n=depth)

    def lesson_question(self) -> str:
        return self._("You're playing me: a lesson on your match counts as a hint.")

    def example_button(self) -> str:
        return self._(NC_("button", "An example"))

    def my_match_button(self) -> str:
        return self._(NC_("button", "My match (a hint)"))


PICTURE_NAME = "velha.png"

# Numbers that keep the custom_ids on a page different.
_BACK_ID = 0
_NEXT_ID = 1
_UP_ID = 2
_FIRST_ANSWER_ID = 10
_FIRST_CELL_ID = 20


def picture_of(content: object) -> Diagram | None:
    """The picture that goes with a lesson's page, if any."""
    return content.picture if isinstance(content, TreeWalk | PruningDemo | FastestWin) else None


def lesson_question_view(language: Language) -> ui.LayoutView:
    """The question whether to learn from an example or from one's own match with the bot."""
    texts = TutorialTexts(language)
    buttons = (
        button(custom_id(TutorialPage(EXAMPLE_GAME), 0), label=texts.example_button()),
        button(custom_id(CommandButton.MY_MATCH, 1), label=texts.my_match_button()),
    )
    return container_view(
        texts.lesson_question(),
        ui.ActionRow(*buttons),
        symbols=language.symbols,
        colour=discord.Colour.blurple(),
    )


def tutorial_view(content: TutorialContent, language: Language) -> ui.LayoutView:
    """A page: its picture, text, choices, a board to walk on, and navigation buttons."""
    texts = TutorialTexts(language)
    items: list[ui.Item[Any]] = []
    if picture := picture_of(content):
        gallery_item = discord.MediaGalleryItem(
            f"attachment://{PICTURE_NAME}", description=texts.alt_text(picture)
        )
        items.append(ui.MediaGallery(gallery_item))
    question = question_of(content)
    if isinstance(content, OwnTree):
        items += _leaves(content)
    if question is not None:
        items.append(_choices(content.page, question))
    if isinstance(content, TreeWalk):
        items += _board_to_walk(content, language.symbols)
    elif isinstance(content, DepthLimitDemo):
        items += _board_with_depths(content, texts, language.symbols)
    is_asking = question is not None and not shows_answer(content)
    items.append(ui.ActionRow(*_navigation(content.page, texts, is_asking=is_asking)))
    return container_view(texts.screen(content), *items, symbols=language.symbols)


def _leaves(tree: OwnTree) -> list[ui.Item[Any]]:
    """The leaves; a press changes one to the next number."""
    leaves = [
        button(
            custom_id(tree.page.with_next_leaf(number), _FIRST_CELL_ID + number),
            label=with_sign(leaf),
        )
        for number, leaf in enumerate(tree.page.leaves)
    ]
    half = len(tree.left)
    return [ui.ActionRow(*leaves[:half]), ui.ActionRow(*leaves[half:])]


def _choices(page: TutorialPage, question: Question) -> ui.ActionRow[Any]:
    """A question's choices: the answer is red if it was wrong; the right one green once shown."""
    styles = dict.fromkeys(range(len(question.choices)), ButtonStyle.primary)
    if page.reveals(question.right):
        styles = dict.fromkeys(styles, ButtonStyle.secondary)
    for wrong in (page.wrong_answer, page.answer):
        if wrong is not None:
            styles[wrong] = ButtonStyle.danger
    if page.reveals(question.right):
        styles[question.right] = ButtonStyle.success
    buttons = (
        button(
            custom_id(page.with_answer(number, question.right), _FIRST_ANSWER_ID + number),
            label=with_minus(choice),
            style=styles[number],
        )
        for number, choice in enumerate(question.choices)
    )
    return ui.ActionRow(*buttons)


def _board_to_walk(walk: TreeWalk, symbols: Symbols) -> list[ui.Item[Any]]:
    """Free cells lead down the tree; marks lead back up, to before their move or to the start."""
    page = walk.page
    board = page.board
    is_numbered = page.chapter is Chapter.NUMBERS and not walk.shows_more_than_a_move
    styles = utility_styles(walk.verdicts) if is_numbered else {}
    start = TutorialPage(page.record, page.chapter)
    targets = dict.fromkeys(board.rules.cells, start)
    targets |= {cell: replace(start, path=page.path[:ply]) for ply, cell in enumerate(page.path)}
    targets |= {cell: replace(start, path=(*page.path, cell)) for cell in board.actions()}
    pages = {cell: custom_id(target, _FIRST_CELL_ID + cell) for cell, target in targets.items()}
    return board_rows(board, styles, pages, symbols)


def _board_with_depths(
    demo: DepthLimitDemo, texts: TutorialTexts, symbols: Symbols
) -> list[ui.Item[Any]]:
    page = demo.page
    board = demo.board
    glimpse = demo.glimpse
    gives_win = glimpse.proven_worth.value is Value.WIN
    style = ButtonStyle.danger if gives_win else ButtonStyle.success
    names = {cell: board.rules.coordinate(cell) for cell in demo.guesses}
    styles = {
        cell: CellStyle(label=f"{names[cell]} {with_sign(guess)}")
        for cell, guess in demo.guesses.items()
        if guess is not None
    }
    label = styles[glimpse.action].label if glimpse.action in styles else None
    emoji = None if label else symbols.of(board.to_move)
    styles[glimpse.action] = CellStyle(style, emoji=emoji, label=label)
    depths = [
        button(
            custom_id(replace(page, answer=number), _FIRST_ANSWER_ID + number),
            label=texts.depth_button(depth),
            style=ButtonStyle.primary if depth == glimpse.depth else ButtonStyle.secondary,
        )
        for number, depth in enumerate(DEPTHS)
    ]
    return [*board_rows(board, styles, {}, symbols), ui.ActionRow(*depths)]


def _navigation(
    page: TutorialPage, texts: TutorialTexts, *, is_asking: bool
) -> Iterator[ui.Button[Any]]:
    """The buttons Back, Next and Up; the one to press next is highlighted.

    On the last page, a button starts a match, unless the lesson is on a match already.
    """
    can_go_up = page.chapter in WALKABLE and bool(page.path)
    should_go_up = page.chapter is Chapter.NUMBERS and can_go_up and not is_asking
    next_style = ButtonStyle.secondary if is_asking or should_go_up else ButtonStyle.primary
    before = _adjacent_page(page, -1)
    after = _adjacent_page(page, 1)
    back = texts.back_button()
    yield button(custom_id(before or page, _BACK_ID), label=back, disabled=before is None)
    if after is not None:
        yield button(custom_id(after, _NEXT_ID), label=texts.next_button(), style=next_style)
    elif not page.is_on_match:
        start_id = custom_id(CommandButton.START, _NEXT_ID)
        yield button(start_id, label=texts.play_button(), style=next_style)
    if can_go_up:
        yield button(
            custom_id(TutorialPage(page.record, page.chapter, page.path[:-1]), _UP_ID),
            label=texts.up_button(),
            style=ButtonStyle.primary if should_go_up else ButtonStyle.secondary,
        )


def _adjacent_page(page: TutorialPage, step: int) -> TutorialPage | None:
    """The first page of the step before (-1) or after (+1); None if there is none."""
    index = STEPS.index(page.chapter) + step
    if index not in range(len(STEPS)):
        return None
    first = TutorialPage(page.record, STEPS[index])
    return first.first_question if first.chapter is Chapter.NUMBERS else first
