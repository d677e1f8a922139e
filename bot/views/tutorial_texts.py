"""The texts of the tutorial, for a curious twelve-year-old: at most 40 words a screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import factorial
from typing import Any

from bot.domain.tree_diagram import (
    CUT_OFF_NAME,
    READ_NEXT_NAME,
    UNKNOWN_VALUE,
    DiagramNode,
    NodeStyle,
)
from bot.domain.tutorial import (
    CHAPTERS,
    CUT_RULE,
    BotOverview,
    Chapter,
    DepthLimitDemo,
    FastestWin,
    OwnTree,
    PruningDemo,
    SearchComparison,
    TreeWalk,
    TutorialContent,
    TutorialPage,
)
from bot.views.i18n import N_, NC_, Language, Sentence, with_minus, with_sign
from bot.views.symbols import SYMBOLS
from engine import Mark, Node, Way, depth_within_reach, small_tree
from engine.terminal.drawing import columns, ljust, rjust

# Translators, from here on: the heading of a lesson's screen: about 25 letters.
TITLES: Mapping[Chapter, Sentence] = {
    Chapter.TREE: N_("The game tree"),
    Chapter.NUMBERS: N_("What the numbers mean"),
    **dict.fromkeys(
        (Chapter.ALPHA, Chapter.BETA, Chapter.PRUNING, Chapter.RULE), N_("Cutting branches off")
    ),
    Chapter.SAVED: N_("What it saves"),
    Chapter.OWN_TREE: N_("A tree of your own"),
    Chapter.COMPARISON: N_("On a whole board"),
    Chapter.FASTEST_WIN: N_("Sooner is better"),
    Chapter.LIMIT: N_("Stopping early"),
    Chapter.HORIZON: N_("The horizon"),
    Chapter.BOT: N_("How I think"),
}


def screen(content: TutorialContent, language: Language) -> str:
    """The whole text of a page."""
    lines = [
        f"## {_title(content.page.chapter, language)}",
        _TEXTS[type(content)](content, language),
    ]
    if content.page.is_on_match and isinstance(content, PruningDemo | FastestWin):
        lines.append(_another_board(language))
    return "\n".join(lines)


def _title(step: Chapter, language: Language) -> str:
    """The chapter's number and name and, if it has several steps, which of them this is."""
    number, steps = next((n, steps) for n, steps in enumerate(CHAPTERS, 1) if step in steps)
    title = f"{number}/{len(CHAPTERS)} · {language.say(TITLES[step])}"
    return title if len(steps) == 1 else f"{title} ({steps.index(step) + 1}/{len(steps)})"


# Translators, from here on: a lesson for curious twelve-year-olds, at most 40 words a screen.
def _another_board(language: Language) -> str:
    return language.say(N_("-# Another board, as an example."))


def _asked_or_told(
    content: TutorialContent, language: Language, question: str, answer: Iterable[str]
) -> str:
    """A question, once more after a wrong answer; in the end the answer, and whether it is theirs.

    `answer` are sentences.
    """
    page = content.page
    if not content.is_answered:
        again = [language.say(N_("Not quite. Try once more!"))] if page.answer is not None else []
        return language.sentences(*again, question)
    is_right = content.question is not None and page.answer == content.question.right
    verdict = N_("Right!") if is_right else N_("Not quite.")
    return language.sentences(language.say(verdict), *answer)


# The first chapters, in which one walks a tree

# Translators, from here on: a lesson for curious twelve-year-olds, at most 40 words a screen.
# {number} is +1, 0 or -1, {cell} a cell. **max** and **min** stand in the picture too: keep them
# in brackets.
CHOICE_SENTENCES: Mapping[Mark, Sentence] = {
    Mark.X: N_("❌ takes the **largest** (max): **{number}**, with {cell}."),
    Mark.O: N_("⭕ takes the **smallest** (min): **{number}**, with {cell}."),
}

OUTCOME_SENTENCES: Mapping[int, Sentence] = {
    1: N_("The game is over: ❌ has won."),
    -1: N_("The game is over: ⭕ has won."),
    0: N_("The game is over: a draw."),
}


# Translators, from here on: a lesson for curious twelve-year-olds, at most 40 words a screen.
# **Up** is a button: as you translate it there. {symbol} is ❌ or ⭕.
def _tree_walk(walk: TreeWalk, language: Language) -> str:
    page = walk.page
    if page.chapter is Chapter.TREE:
        text = _position(page, language)
    else:
        answer = _value_answer(walk, language)
        text = _asked_or_told(walk, language, _value_question(page, language), answer)
        if walk.is_answered:
            text += f"\n{_after_value_answer(page, language)}"
    if page.is_on_match and page == TutorialPage(page.record):
        note = language.say(N_("-# This channel's match: if it's yours, this counts as a hint."))
        text += f"\n{note}"
    return text


def _position(page: TutorialPage, language: Language) -> str:
    board = page.board
    if board.is_terminal:
        # Translators: the end of a game, in a game tree.
        leaf = N_("This is a **leaf** of the tree. Go **Up** and try another branch.")
        outcome = language.say(OUTCOME_SENTENCES[board.utility])
        return language.sentences(outcome, language.say(leaf))
    if page.path:
        return language.say(
            N_("{symbol}'s turn. Press a free cell to go down, or **Up** to go back."),
            symbol=SYMBOLS[board.to_move],
        )
    if small_tree(board):
        return language.say(
            N_(
                "Here's all that can still happen. Each line between boards is a move; a board "
                "with nothing below is a finished game. That's the **game tree**. Press a free "
                "cell to go down."
            )
        )
    free_cells = len(board.actions())
    return language.ngettext(
        "{symbol}'s choices: **{free}**. With every reply, that's up to {n} game: the **game "
        "tree**. Press a free cell to go down.",
        "{symbol}'s choices: **{free}**. With every reply, that's up to {n} games: the **game "
        "tree**. Press a free cell to go down.",
        factorial(free_cells),
        symbol=SYMBOLS[board.to_move],
        free=free_cells,
    )


def _value_question(page: TutorialPage, language: Language) -> str:
    if page.board.is_terminal:
        question = N_(
            "At the bottom, the rules decide: **+1** if ❌ has won, **{minus_one}** if "
            "⭕ has, **0** for a draw. Which number goes here?"
        )
    else:
        # Translators: {minus_one} is -1, with the sign that is read aloud.
        question = N_(
            "❌ has won: **+1**. ⭕ has won: **{minus_one}**. A draw: **0**. Further up, ❌ takes "
            "the **largest** number (max), ⭕ the **smallest** (min). Which number goes here?"
        )
    return language.say(question, minus_one=with_sign(-1))


def _value_answer(walk: TreeWalk, language: Language) -> Iterator[str]:
    board = walk.page.board
    number = with_sign(walk.utility)
    if board.is_terminal:
        yield language.say(OUTCOME_SENTENCES[board.utility])
        yield f"**{number}**"
    else:
        cell = f"**{board.rules.coordinate(walk.chosen)}**"
        yield language.say(CHOICE_SENTENCES[board.to_move], number=number, cell=cell)


def _after_value_answer(page: TutorialPage, language: Language) -> str:
    if page.path:
        return language.say(N_("Now go **Up**: which number belongs there?"))
    return language.say(
        N_("So each number says how the game ends if nobody makes a mistake. That's **minimax**.")
    )


# Translators, from here on: in words for people who cannot see the picture of a tree.
def alt_text(diagram: DiagramNode, language: Language) -> str:
    """The tree in words, for people who cannot see its picture."""
    board = diagram.board
    return language.say(
        # Translators: {tree} is a list of moves, each with those that can follow in brackets;
        # {symbol} is ❌ or ⭕.
        N_("Game tree. {marks}. {symbol}'s turn{notes}: {tree}."),
        marks=language.marks(board) or language.say(N_("An empty board")),
        symbol=SYMBOLS[board.to_move],
        notes="".join(f", {note}" for note in _notes(diagram, language)),
        tree="; ".join(_branch(child, language) for child in diagram.children),
    )


def _branch(diagram: DiagramNode, language: Language) -> str:
    assert diagram.action is not None, "every board but the first comes by a move"
    cell = diagram.board.rules.coordinate(diagram.action)
    move = " ".join([cell, *_notes(diagram, language)])
    replies = ", ".join(_branch(child, language) for child in diagram.children)
    return f"{move} ({replies})" if replies else move


# Translators, from here on: of boards in the picture of a tree, in words for people who cannot see
# it: they stand in brackets.
def _notes(diagram: DiagramNode, language: Language) -> Iterator[str]:
    """A board's captions, and in words how it is drawn."""
    if diagram.style is NodeStyle.CUT:
        yield language.say(NC_("branch", "cut"))
    yield from map(with_minus, diagram.captions)
    if diagram.is_chosen:
        yield language.say(NC_("branch", "taken"))
    if diagram.style is NodeStyle.CURRENT:
        yield language.say(NC_("branch", "you are here"))


# The chapters on how a tree is searched

# Translators, from here on: questions on the picture of a game tree, and what is said of the
# answers. {first}, {second} are cells; {sure}, {reply} numbers with their signs; {a}, {b} letters
# in the picture.
PRUNING_QUESTIONS: Mapping[Chapter, tuple[Sentence, Sentence]] = {
    Chapter.ALPHA: (
        N_("Read from the left. ❌ plays {first}, then ⭕ chooses. What is ❌ sure of here?"),
        N_("With {first}, ❌ gets **{sure}** at least. What ❌ is sure of is called **alpha**."),
    ),
    Chapter.BETA: (
        N_("Next, {second}. ⭕ has found this reply so far. What can ❌ get here, at most?"),
        N_("**{reply}**. ⭕ has that now. What ⭕ is sure of is **beta**."),
    ),
    Chapter.PRUNING: (
        N_(
            "{first} is worth **{sure}** to ❌. After {second}, ⭕ has found **{reply}**. What can "
            "you skip: **{a}**, **{b}**, or both?"
        ),
        N_(
            "❌ has {sure} already. With {second} it's {reply} at most, whatever **{a}** holds. "
            "But **{b}** might be better."
        ),
    ),
    Chapter.RULE: (
        N_("So **{a}** was cut: alpha was {sure}, beta was {reply}. When can you always cut?"),
        N_("**Cut when {rule}.** ❌ has {sure} elsewhere, so ❌ never comes here for {reply}."),
    ),
    Chapter.SAVED: (
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
"""What each page on cut branches asks, and what it says once the answer is known."""


def _pruning(demo: PruningDemo, language: Language) -> str:
    values = {
        "first": _move_to(demo.best_before_cut),
        "second": _move_to(demo.cut_node),
        "sure": with_sign(demo.best_before_cut.utility),
        "reply": with_sign(demo.refutation.utility),
        "a": CUT_OFF_NAME,
        "b": READ_NEXT_NAME,
        "rule": CUT_RULE,
        "saved": demo.saved,
        "visits": demo.visits,
        "all": demo.saved + demo.visits,
        "number": with_sign(demo.tree.utility),
    }
    question, answer = (
        language.say(sentence, **values) for sentence in PRUNING_QUESTIONS[demo.page.chapter]
    )
    return _asked_or_told(demo, language, question, [answer])


def _move_to(node: Node) -> str:
    """The name of the cell where the move was made that led to a node."""
    assert node.action is not None, "only the root has no move before it"
    return node.board.rules.coordinate(node.action)


_TREE_PICTURE = """\
max  {value:^23}
          ┌─────┴─────┐
min {alpha:^12}{beta:^12}
      ┌──┼──┐     ┌──┼──┐
    {left:^12}{right:^12}"""
"""A tree of two branches with three leaves each; the widths centre values above their branches."""

_LEAF_WIDTH = 3
_UNREAD_LEAF = "·"


# Translators, from here on: a lesson for curious twelve-year-olds, at most 40 words a screen.
# **alpha** and **beta** stand in the picture too: keep them recognisable. {n} and {all} count
# positions that were read.
def _own_tree(tree: OwnTree, language: Language) -> str:
    """The tree whose leaves the reader chooses, and what alpha-beta reads of it."""
    question = language.say(
        N_(
            "Change the numbers at the bottom: press them. Alpha-beta reads from the left. How "
            "many of them does it never read?"
        )
    )
    if tree.unread_count:
        # Translators: {alpha}, {beta} are numbers with their signs.
        answer = N_(
            "On the left, ❌ is sure of **{alpha}**. On the right, ⭕ finds **{beta}**: the "
            "rest is cut. Change a number and guess again!"
        )
    else:
        answer = N_(
            "On the left, ❌ is sure of **{alpha}**. On the right, nothing could be left out. "
            "Change a number and guess again!"
        )
    told = language.say(answer, alpha=with_sign(tree.alpha), beta=with_sign(tree.beta))
    return f"{_tree_picture(tree)}\n{_asked_or_told(tree, language, question, [told])}"


def _tree_picture(tree: OwnTree) -> str:
    """The reader's tree, drawn with characters; once answered, with what alpha-beta finds in it."""
    values = dict.fromkeys(("value", "alpha", "beta"), UNKNOWN_VALUE)
    right = [with_sign(leaf) for leaf in tree.right]
    if tree.is_answered:
        beta = f"≤{with_sign(tree.beta)}" if tree.unread_count else with_sign(tree.beta)
        values = {"value": with_sign(tree.value), "alpha": with_sign(tree.alpha), "beta": beta}
        right[len(tree.read_leaves) :] = [_UNREAD_LEAF] * tree.unread_count
    leaves = {"left": _leaf_row(map(with_sign, tree.left)), "right": _leaf_row(right)}
    lines = _TREE_PICTURE.format(**values, **leaves).splitlines()
    return "\n".join(["```", *(line.rstrip() for line in lines), "```"])


def _leaf_row(leaves: Iterable[str]) -> str:
    return "".join(leaf.rjust(_LEAF_WIDTH) for leaf in leaves)


def _comparison(comparison: SearchComparison, language: Language) -> str:
    """A table of how many nodes each search visits, and why."""
    searches = comparison.searches
    rows = [
        (language.say(name), language.number(searches[way].nodes))
        for way, name in SEARCH_NAMES.items()
    ]
    if searches[Way.ORDERED].nodes <= searches[Way.PRUNED].nodes:
        note = N_("Order: good-looking moves first. Memory: hardly anything is read twice.")
    else:
        note = N_("Order: good-looking moves first; here that costs more. Memory helps.")
    return "\n".join([_comparison_heading(comparison, language), _table(rows), language.say(note)])


def _comparison_heading(comparison: SearchComparison, language: Language) -> str:
    """How far the searches look ahead, and the value that all of them find."""
    board = comparison.page.compared_board
    number = with_sign(int(comparison.searches[Way.PLAIN].utility))
    depth = depth_within_reach(board)
    if depth < board.plies_left:
        return language.ngettext(
            "Visits from the match's board, only {n} move ahead. So far, each finds **{number}**:",
            "Visits from the match's board, only {n} moves ahead. So far, each finds **{number}**:",
            depth,
            number=number,
        )
    if board.plies == 0:
        heading = N_("Visits from the empty board. Each finds **{number}**:")
    else:
        heading = N_("Visits from the match's board to the end. Each finds **{number}**:")
    return language.say(heading, number=number)


def _table(rows: Sequence[tuple[str, str]]) -> str:
    """Names and numbers in two columns, in letters of equal width."""
    name_width = max(columns(name) for name, _number in rows)
    number_width = max(columns(number) for _name, number in rows)
    lines = [f"{ljust(name, name_width)}  {rjust(number, number_width)}" for name, number in rows]
    return "\n".join(["```", *lines, "```"])


def _fastest_win(demo: FastestWin, language: Language) -> str:
    """The question which of two wins to take, or why the sooner one is better."""
    rules = demo.fastest.board.rules
    wins = [verdict.action for verdict in demo.wins]
    first = rules.coordinate(wins[0])
    question = language.say(
        N_(
            "{cells} are both **+1**. A search that knows only {minus_one}, 0 and +1 takes "
            "the first it reads: {first}. Which would you take?"
        ),
        cells=language.cells(rules, wins),
        minus_one=with_sign(-1),
        first=f"**{first}**",
    )
    why = language.say(
        N_(
            "**{soonest}** wins now, {first} only later. With +1 alone, a win can wait and "
            "wait. So **depth** goes into the score: win sooner, lose later."
        ),
        soonest=rules.coordinate(demo.fastest.action),
        first=first,
    )
    return _asked_or_told(demo, language, question, [why])


# Translators, from here on: a line of a table in letters of equal width: about 12 letters.
SEARCH_NAMES: Mapping[Way, Sentence] = {
    Way.PLAIN: N_("minimax"),
    Way.PRUNED: N_("alpha-beta"),
    Way.ORDERED: N_("+ order"),
    Way.WITH_MEMORY: N_("+ memory"),
    # Translators: both order and memory.
    Way.WITH_BOTH: N_("+ both"),
}


# The chapters on what lies beyond


# Translators, from here on: a lesson for curious twelve-year-olds, at most 40 words a screen.
def _depth_limit(demo: DepthLimitDemo, language: Language) -> str:
    is_horizon = demo.page.chapter is Chapter.HORIZON
    text = _horizon(demo, language) if is_horizon else _limit(demo, language)
    return f"{text}\n-# {language.rules(demo.board.rules)}"


def _limit(demo: DepthLimitDemo, language: Language) -> str:
    # Translators: {cell} is a cell.
    return language.ngettext(
        "Up to {n} game: too many. So the search stops early and **guesses**: lines "
        "open for ❌ minus lines open for ⭕. The cells show it at depth **{depth}**: "
        "{cell} is best.",
        "Up to {n} games: too many. So the search stops early and **guesses**: lines "
        "open for ❌ minus lines open for ⭕. The cells show it at depth **{depth}**: "
        "{cell} is best.",
        factorial(demo.board.plies_left),
        depth=demo.glimpse.depth,
        cell=_best_cell(demo),
    )


def _horizon(demo: DepthLimitDemo, language: Language) -> str:
    """What the search chooses, and whether that gives the win away."""
    if demo.gives_win:
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
    return language.say(
        sentence,
        depth=demo.glimpse.depth,
        symbol=SYMBOLS[demo.board.to_move],
        other=SYMBOLS[demo.board.to_move.other],
        cell=_best_cell(demo),
        guess=_guess(demo, language),
    )


def _best_cell(demo: DepthLimitDemo) -> str:
    return f"**{demo.board.rules.coordinate(demo.glimpse.action)}**"


def _guess(demo: DepthLimitDemo, language: Language) -> str:
    if demo.glimpse.guess is None:
        return language.say(NC_("search", "a sure win"))
    # Translators: {guess} is a number with its sign.
    return language.say(N_("a guess of {guess}"), guess=f"**{with_sign(demo.glimpse.guess)}**")


ERDOS_SELFRIDGE_URL = "https://en.wikipedia.org/wiki/Maker-Breaker_game"
"""A page that explains the theorem of Erdos and Selfridge."""


def _overview(_content: BotOverview, language: Language) -> str:
    return language.say(
        N_(
            "On big boards I can't read everything. So I ask less: can I force a win? Can you? A "
            "threat leaves one reply: little to read. With too few open lines you can't win "
            "([Erdős-Selfridge]({link}))."
        ),
        link=ERDOS_SELFRIDGE_URL,
    )


_TEXTS: Mapping[type[TutorialContent], Callable[[Any, Language], str]] = {
    TreeWalk: _tree_walk,
    PruningDemo: _pruning,
    OwnTree: _own_tree,
    SearchComparison: _comparison,
    FastestWin: _fastest_win,
    DepthLimitDemo: _depth_limit,
    BotOverview: _overview,
}
