"""The texts of the tutorial, for a curious twelve-year-old: at most 40 words a screen."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import factorial
from typing import Any

from bot.domain.tree_diagram import CUT_SIGN, DiagramNode, LabelledBoard, NodeStyle
from bot.domain.tutorial import (
    CHAPTERS,
    SKIP,
    TRAP_GAME,
    Chapter,
    OwnNumbers,
    TrapDemo,
    TreeWalk,
    TutorialContent,
    TutorialPage,
    WatchedSearch,
    WriteYourOwn,
)
from bot.views.i18n import N_, NC_, Language, Sentence, with_minus, with_sign
from bot.views.symbols import SYMBOLS
from engine import (
    LINES,
    PROGRAM,
    UNKNOWN,
    Event,
    EventKind,
    Mark,
    Numbers,
    SolvedBelow,
    bounds_text,
    move_name,
    number_text,
)

# Translators, from here on: buttons under a lesson: about 12 letters.
# Translators: a button that turns to the next screen.
NEXT = NC_("screen", "Next")

# Translators: a button that leads up a game tree.
UP = NC_("tree", "Up")

# Translators, from here on: the heading of a lesson's screen: about 25 letters.
TITLES: Mapping[Chapter, Sentence] = {
    Chapter.TREE: N_("The game tree"),
    Chapter.NUMBERS: N_("What the numbers mean"),
    Chapter.WATCH: N_("Watch a search"),
    Chapter.NUMBER_TREE: N_("A tree of numbers"),
    Chapter.OWN_NUMBERS: N_("Your own numbers"),
    Chapter.BOT: N_("How I think"),
    Chapter.WRITE: N_("Your turn"),
}


def screen(content: TutorialContent, language: Language) -> str:
    """The whole text of a page."""
    chapter = content.page.chapter
    number = next(number for number, steps in enumerate(CHAPTERS, 1) if chapter in steps)
    lines = [
        f"## {number}/{len(CHAPTERS)} · {language.say(TITLES[chapter])}",
        _TEXTS[type(content)](content, language),
    ]
    return "\n".join(lines)


# Translators, from here on: a lesson for curious twelve-year-olds, at most 40 words a screen.
def _asked_or_told(
    content: TutorialContent, language: Language, question: str, answer: Iterable[str]
) -> str:
    """The question, also after a first wrong answer; in the end, whether theirs was right, and why.

    `answer` are the sentences that say why.
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
    1: N_("The game is over. ❌ has won."),
    -1: N_("The game is over. ⭕ has won."),
    0: N_("The game is over. It's a draw."),
}

OUTLOOK_SENTENCES: Mapping[int, Sentence] = {
    1: N_("If nobody makes a mistake, ❌ wins."),
    -1: N_("If nobody makes a mistake, ⭕ wins."),
    0: N_("If nobody makes a mistake, it's a draw."),
}


# Translators, from here on: a lesson for curious twelve-year-olds, at most 40 words a screen.
# {up} and {next} are buttons. {symbol} is ❌ or ⭕.
def _tree_walk(walk: TreeWalk, language: Language) -> str:
    page = walk.page
    if page.chapter is Chapter.TREE:
        return _position(walk, language)
    answer = _value_answer(walk, language)
    text = _asked_or_told(walk, language, _value_question(page, language), answer)
    if walk.is_answered:
        text += f"\n{_after_value_answer(page, language)}"
    return text


def _position(walk: TreeWalk, language: Language) -> str:
    page, board = walk.page, walk.page.board
    if board.is_terminal:
        # Translators: the end of a game, in a game tree.
        leaf = N_("This is a **leaf** of the tree. Go **{up}** and try another branch.")
        outcome = language.say(OUTCOME_SENTENCES[board.utility])
        return language.sentences(outcome, language.say(leaf, up=language.say(UP)))
    if page.path:
        return language.say(
            N_("{symbol}'s turn. Press a free square to go down, or **{up}** to go back."),
            symbol=SYMBOLS[board.to_move],
            up=language.say(UP),
        )
    return _asked_or_told(
        walk,
        language,
        _who_wins(walk, language),
        [
            language.say(OUTLOOK_SENTENCES[walk.utility]),
            language.say(
                N_("That's what I saw. Want to see how? Press **{next}**."),
                next=language.say(NEXT),
            ),
        ],
    )


def _who_wins(walk: TreeWalk, language: Language) -> str:
    board = walk.page.board
    symbol = SYMBOLS[board.to_move]
    if walk.diagram:
        return language.say(
            N_(
                "It's {symbol}'s turn in this **game tree**. Each branch is a move, and finished "
                "games hang at the bottom. Press free squares to explore. If nobody makes a "
                "mistake, who wins?"
            ),
            symbol=symbol,
        )
    return language.ngettext(
        "It's {symbol}'s turn. The **game tree** holds up to {n} game, with every move and every "
        "reply to the end. Press free squares to explore. If nobody makes a mistake, who wins?",
        "It's {symbol}'s turn. The **game tree** holds up to {n} games, with every move and every "
        "reply to the end. Press free squares to explore. If nobody makes a mistake, who wins?",
        factorial(len(board.actions())),
        symbol=symbol,
    )


def _value_question(page: TutorialPage, language: Language) -> str:
    if page.board.is_terminal:
        question = N_(
            "At the bottom, the rules decide. It's **+1** if ❌ has won, **{minus_one}** if ⭕ "
            "has and **0** for a draw. Which number goes here?"
        )
    else:
        # Translators: {minus_one} is -1, with the sign that is read aloud.
        question = N_(
            "**+1** means ❌ has won, **{minus_one}** means ⭕ has and **0** is a draw. Further "
            "up, ❌ takes the **largest** number (max), ⭕ the **smallest** (min). Which number "
            "goes here?"
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
        return language.say(N_("Now go **{up}**. Which number goes there?"), up=language.say(UP))
    return language.say(
        N_("So each number says how the game ends if nobody makes a mistake. That's **minimax**.")
    )


# The chapters on how a tree is searched

# Translators, from here on: what a search does, one step after the other: a sentence or two, read
# beside a picture in which the place has a ring. {symbol} is ❌ or ⭕, {other} the other player;
# {move} is a cell such as A1, or a branch or leaf by a letter; {number} and the like are numbers.
# **alpha** and **beta** stand in the program, too.
CHOOSING: Mapping[Mark, Sentence] = {
    Mark.X: N_("Here ❌ chooses, and takes the **largest**."),
    Mark.O: N_("Here ⭕ chooses, and takes the **smallest**."),
}

BETTER: Mapping[Mark, Sentence] = {
    Mark.X: N_("❌ can get **{number}** here, so **alpha** rises."),
    Mark.O: N_("⭕ can keep it to **{number}** here, so **beta** falls."),
}

ALL_READ: Mapping[Mark, Sentence] = {
    Mark.X: N_("Nothing's left to search here. ❌ takes the largest, **{number}**."),
    Mark.O: N_("Nothing's left to search here. ⭕ takes the smallest, **{number}**."),
}

# Translators: by who chooses where the search is: ❌, which wants it large, or ⭕.
SKIP_REASONS: Mapping[Mark, Sentence] = {
    Mark.X: N_(
        "⭕ can keep it to **{elsewhere}** elsewhere. Here it's **{here}** at least, whatever "
        "follows."
    ),
    Mark.O: N_(
        "❌ can get **{elsewhere}** elsewhere. Here it's **{here}** at most, whatever follows."
    ),
}

READ_REASONS: Mapping[Mark, Sentence] = {
    Mark.X: N_("⭕ can only keep it to **{elsewhere}** elsewhere. Here it may still be less."),
    Mark.O: N_("❌ can only get **{elsewhere}** elsewhere. Here it may still be more."),
}


# Translators, from here on: what a search does, one step after the other: a sentence or two, read
# beside a picture in which the place has a ring. {symbol} is ❌ or ⭕, {other} the other player;
# {move} is a cell such as A1, or a branch or leaf by a letter; {number} and the like are numbers.
# **alpha** and **beta** stand in the program, too.
def _watched(watched: WatchedSearch, language: Language) -> str:
    """What happens, whether the next branch is read, and the bounds."""
    return "\n".join(_event(watched, language))


def _event(watched: WatchedSearch, language: Language) -> Iterator[str]:
    if watched.step == 0:
        yield _introduction(watched, language)
        return
    yield _what_happens(watched, language)
    if watched.question is not None:
        question = language.say(N_("Do I search the next branch, or skip it?"))
        yield _asked_or_told(watched, language, question, [_why(watched, language)])
    yield _bounds(watched, language)


def _introduction(watched: WatchedSearch, language: Language) -> str:
    if isinstance(watched.root, Numbers):
        return language.say(
            N_(
                "Same again, with numbers. ❌ wants the largest, ⭕ the smallest. What I skip "
                "stays hidden. Press ▶ and guess what that will be."
            )
        )
    sentences = [
        N_(
            "Watch me search this tree, branch by branch. I've only got one pencil, so I skip "
            "what can't matter. That's **alpha-beta**."
        )
    ]
    if isinstance(watched.root, SolvedBelow):
        sentences.append(N_("I stop two moves down. The rest I know."))
    sentences.append(N_("Press ▶ and guess what I'll skip."))
    return language.sentences(*map(language.say, sentences))


def _what_happens(watched: WatchedSearch, language: Language) -> str:
    event, mark = watched.event, watched.to_move
    if watched.is_over:
        return _ending(watched, language)
    symbol, other = SYMBOLS[mark], SYMBOLS[mark.other]
    match event.kind:
        case EventKind.VISIT:
            tries = N_("{other} tries **{move}**.")
            told = language.say(tries, other=other, move=_move(watched))
            return language.sentences(told, language.say(CHOOSING[mark]))
        case EventKind.LEAF:
            return language.say(
                N_("{other} tries **{move}**. That's **{number}**."),
                other=other,
                move=_move(watched),
                number=_number(watched, event.least),
            )
        case EventKind.CUT:
            return language.ngettext(
                "**Cut!** {other} has **{elsewhere}** elsewhere, so it won't come here. "
                "{n} branch is never searched.",
                "**Cut!** {other} has **{elsewhere}** elsewhere, so it won't come here. "
                "{n} branches are never searched.",
                event.unread,
                other=other,
                elsewhere=_number(watched, event.beta if mark is Mark.X else event.alpha),
            )
        case _ if not event.unread:
            return language.say(ALL_READ[mark], number=_bounds_text(watched, event))
        case EventKind.BETTER:
            value = event.alpha if mark is Mark.X else event.beta
            sentence, number = BETTER[mark], _number(watched, value)
        case _:
            sentence = N_("**{number}** is no better for {symbol}, so nothing changes.")
            number = _bounds_text(watched, watched.events[watched.step - 1])
    return language.say(sentence, number=number, symbol=symbol)


def _ending(watched: WatchedSearch, language: Language) -> str:
    event = watched.event
    if event.path:
        return language.say(
            N_("You get the idea. The rest works the same way, and I'm out of paper.")
        )
    return language.ngettext(
        "Done. It's **{number}**. I looked at {read} of {n} leaf. Plain minimax looks at them all "
        "and finds the same.",
        "Done. It's **{number}**. I looked at {read} of {n} leaves. Plain minimax looks at them "
        "all and finds the same.",
        watched.leaf_count,
        number=_number(watched, event.least),
        read=language.number(watched.read_count),
    )


def _why(watched: WatchedSearch, language: Language) -> str:
    """Why the next branch is read, or skipped."""
    event, mark = watched.event, watched.to_move
    here, elsewhere = (event.alpha, event.beta) if mark is Mark.X else (event.beta, event.alpha)
    sentence = READ_REASONS[mark]
    if math.isinf(elsewhere):
        sentence = N_("{other} has nothing elsewhere yet, so I must search it.")
    elif watched.question is not None and watched.question.answer == SKIP:
        sentence = SKIP_REASONS[mark]
    return language.say(
        sentence,
        other=SYMBOLS[mark.other],
        here=_number(watched, here),
        elsewhere=_number(watched, elsewhere),
    )


def _bounds(watched: WatchedSearch, language: Language) -> str:
    """Alpha and beta in words."""
    event = watched.event
    return language.say(
        # Translators: the numbers may be "?".
        N_("alpha, ❌ gets at least **{alpha}** · beta, ⭕ allows at most **{beta}**"),
        alpha=_number(watched, event.alpha),
        beta=_number(watched, event.beta),
    )


def program(watched: WatchedSearch) -> str:
    """The program, with the line that is at work marked."""
    current = LINES[watched.event.kind]
    lines = enumerate(PROGRAM[watched.to_move])
    marked = [f"{'▶' if number == current else ' '} {line}" for number, line in lines]
    return "\n".join(["```", *marked, "```"])


def _is_signed(watched: WatchedSearch) -> bool:
    return not isinstance(watched.root, Numbers)


def _number(watched: WatchedSearch, value: float) -> str:
    if math.isinf(value):
        return UNKNOWN
    return with_minus(number_text(value, signed=_is_signed(watched)))


def _bounds_text(watched: WatchedSearch, event: Event) -> str:
    ends = event.least, event.greatest
    return with_minus(bounds_text(ends, signed=_is_signed(watched)))


def _move(watched: WatchedSearch) -> str:
    return move_name(watched.root, watched.event.path)


# Translators, from here on: a lesson for curious twelve-year-olds, at most 40 words a screen.
# {read} and {n} count the numbers at the bottom of a tree that were read, and all of them.
def _own_numbers(own: OwnNumbers, language: Language) -> str:
    count, total = own.read_count, len(own.page.leaves.numbers)
    if count == own.fewest:
        sentence = N_("**{read}** of {n}, the fewest possible. Now make me look at them all!")
    elif count == total:
        sentence = N_("All **{n}**. I couldn't skip a thing. What makes me skip the most?")
    else:
        sentence = N_(
            "Press a number, then change it. With alpha-beta, I look at **{read}** of {n}. Can "
            "you get me down to **{fewest}**?"
        )
    return language.say(sentence, read=count, n=total, fewest=own.fewest)


# The last chapter


# Translators, from here on: a lesson for curious twelve-year-olds, at most 40 words a screen.
def _trap(demo: TrapDemo, language: Language) -> str:
    """The bot's two questions, and which reply to its trap holds."""
    symbol = SYMBOLS[demo.board.to_move.other]
    question = language.say(
        N_(
            "Can I force a win? Can you? Neither of us can, so I set a trap. I'm {symbol} and "
            "played **{cell}**. Which reply saves you?"
        ),
        symbol=symbol,
        cell=demo.board.rules.coordinate(TRAP_GAME.moves[-1]),
    )
    told = language.say(
        N_(
            "Only **{cell}** works. The other {n} lose. On big boards I just ask those two "
            "questions, and set traps. Now you know who you're up against."
        ),
        cell=demo.question.answer,
        n=demo.losing_count,
    )
    text = _asked_or_told(demo, language, question, [told])
    return f"{text}\n-# {language.rules(demo.board.rules)}"


GUIDES = {"pt_BR": "pt-BR", "es": "es"}
"""The folder of docs that has the guide, by language; others read the English one."""

FIRST_LINES = """\
```python
from engine.tictactoe import *
def player(board):
    return X
```
```sh
python3 -m engine check tictactoe.py
```"""
"""A learner's file to begin with, and how to have it judged."""


def guide_url(source_url: str, language: Language) -> str:
    """The address of the guide, in the reader's language where there is one."""
    return f"{source_url}/blob/HEAD/{_guide(language)}"


def _guide(language: Language) -> str:
    return f"docs/{GUIDES.get(language.code, 'en')}/WRITE-YOUR-OWN.md"


def _write(content: WriteYourOwn, language: Language) -> str:
    begin = language.say(
        # Translators: {file} is the name of a file. The lines of a program stand below.
        N_(
            "Write your own `{file}`. This starter code has one bug. Run the check, fix it, then "
            "write the next function."
        ),
        file="tictactoe.py",
    )
    where = []
    if content.source_url is None:
        where.append(
            language.say(
                # Translators: {file} is a file in the folder of the bot's program.
                N_("The full guide is `{file}`, in my source code."),
                file=_guide(language),
            )
        )
    return "\n".join([begin, FIRST_LINES, *where])


# Translators, from here on: in words for people who cannot see the picture.
def alt_text(content: TutorialContent, language: Language) -> str:
    """What a page's picture shows, in words."""
    if isinstance(content.diagram, DiagramNode):
        return _tree_in_words(content.diagram, language)
    return "\n".join(_board_in_words(board, language) for board in content.diagram)


def _tree_in_words(root: DiagramNode, language: Language) -> str:
    tree = "; ".join(_branch(child, language) for child in root.children)
    if root.board is None:
        return language.say(
            # Translators: {tree} is a list of numbers, each with those below it in brackets.
            N_("Tree of numbers, {notes}: {tree}."),
            notes=_notes(root, language),
            tree=tree,
        )
    return language.say(
        # Translators: {tree} is a list of moves, each with those that can follow in brackets;
        # {symbol} is ❌ or ⭕.
        N_("Game tree. {marks}. {symbol}'s turn{notes}: {tree}."),
        marks=language.marks(root.board) or language.say(N_("An empty board")),
        symbol=SYMBOLS[root.board.to_move],
        notes="".join(f", {note}" for note in _noted(root, language)),
        tree=tree,
    )


def _branch(node: DiagramNode, language: Language) -> str:
    name = "" if node.board is None else node.board.rules.coordinate(node.action or 0)
    move = " ".join(filter(None, [name, *_noted(node, language)]))
    if node.style in (NodeStyle.CUT, NodeStyle.UNREAD):
        return move  # so is all that is below
    replies = ", ".join(_branch(child, language) for child in node.children)
    return f"{move} ({replies})" if replies else move


# Translators, from here on: of boards in the picture of a tree, in words for people who cannot see
# it: they stand in brackets.
CUT = NC_("branch", "cut")


def _noted(node: DiagramNode, language: Language) -> Iterator[str]:
    """A node's caption, and in words how it is drawn."""
    if node.style is NodeStyle.CUT:
        yield language.say(CUT)
    if node.style is NodeStyle.UNREAD:
        yield UNKNOWN
    if node.caption:
        yield with_minus(node.caption)
    if node.is_chosen:
        yield language.say(NC_("branch", "taken"))
    if node.style is NodeStyle.CURRENT:
        yield language.say(NC_("branch", "you are here"))


def _notes(node: DiagramNode, language: Language) -> str:
    return ", ".join(_noted(node, language))


def _board_in_words(labelled: LabelledBoard, language: Language) -> str:
    coordinate = labelled.board.rules.coordinate
    texts = [
        f"{coordinate(cell)} {language.say(CUT) if text == CUT_SIGN else with_minus(text)}"
        for cell, text in labelled.texts
    ]
    caption = with_minus(labelled.caption)
    shown = " · ".join(filter(None, [language.marks(labelled.board), caption]))
    return f"{shown}: {', '.join(texts)}." if texts else f"{shown}."


_TEXTS: Mapping[type[TutorialContent], Callable[[Any, Language], str]] = {
    TreeWalk: _tree_walk,
    WatchedSearch: _watched,
    OwnNumbers: _own_numbers,
    TrapDemo: _trap,
    WriteYourOwn: _write,
}
