"""The message that shows a match."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from discord import ui
from syrupy.assertion import SnapshotAssertion

from bot.domain.ids import DELETED_USER_ID
from bot.domain.matches import Ending, EndReason, HeadToHead, Match, Player, Setup, Trail
from bot.views.i18n import Language
from bot.views.matches import match_view, moved_view, resign_question_view
from engine import INFINITE, MISERE, TIC_TAC_TOE, Level, Mark, Rules
from tests.bot.example_matches import ANA, BEN, EMPTY, NEXT_MATCH, VELHA, make_bot_match, make_match
from tests.transcripts.transcript import Transcript, placed

PLAYED = "x.. .o. ..."
X_WON = "xxx oo. ..."
O_WON = "ooo xx. x.."
DRAW = "xox xox oxo"
SCORE = HeadToHead(won=2, drawn=1, lost=1)
ROUND = (0, 1, 2, 3, 4, 5, 7, 6, 8)
"""Cells in an order in which the infinite game can go round and round without a line."""


MEDIUM = Setup(TIC_TAC_TOE, Level.MEDIUM)
EASY_SECOND = Setup(TIC_TAC_TOE, Level.EASY, Mark.O)
LARGE = Setup(Rules(5, 5, 4), Level.EASY)
FIRST = Trail(Setup(TIC_TAC_TOE, Level.EASY), 0, 1, Setup(INFINITE, Level.EASY), is_passed=True)


def as_o(board: str, **changes: Any) -> Match:
    """A match in which Ana is O, and the bot X."""
    return make_match(board, x=Player(VELHA, Level.EASY), o=Player(ANA), **changes)


def challenge(**changes: Any) -> Match:
    return make_match(accepted=False, **changes)


def ended(
    reason: EndReason, winner: Mark | None = None, *, board: str = PLAYED, **changes: Any
) -> Match:
    """A match that ended away from the board."""
    return make_match(board, early_ending=Ending(reason, winner), **changes)


SCREENS: Mapping[str, Mapping[str, Match]] = {
    "Against the bot": {
        "Nobody has moved: others may join": make_bot_match(is_open=True),
        "The bot has moved first: others may still join": as_o("... .x. ...", is_open=True),
        "Ana has moved": make_bot_match(PLAYED, is_open=True),
        "On the path, after the first of two draws": make_bot_match(
            PLAYED, Level.MEDIUM, trail=Trail(MEDIUM, 1, 4)
        ),
        "The same, with a hint": make_bot_match(
            PLAYED, Level.MEDIUM, hints=1, trail=Trail(MEDIUM, 1, 4)
        ),
        "Ana has won": make_bot_match(X_WON, Level.MEDIUM),
        "Ana has drawn once": make_bot_match(DRAW, Level.MEDIUM, trail=Trail(MEDIUM, 1, 4)),
        "Ana has passed": make_bot_match(
            DRAW, Level.MEDIUM, trail=Trail(MEDIUM, 2, 5, LARGE, is_passed=True)
        ),
        "Ana has a second mark": as_o(
            O_WON, trail=Trail(EASY_SECOND, 0, 4, MEDIUM, is_passed=True)
        ),
        "Ana has lost four times in a row": make_bot_match(
            O_WON, Level.MEDIUM, trail=Trail(MEDIUM, 1, 4, Setup(TIC_TAC_TOE, Level.CHILD))
        ),
        "Ana has drawn against the highest level, and passed the last stop": make_bot_match(
            DRAW,
            trail=Trail(
                Setup(TIC_TAC_TOE, Level.IMPOSSIBLE, Mark.X), 1, 14, EASY_SECOND, is_passed=True
            ),
        ),
        "A draw, before Ana has passed a stop": make_bot_match(
            DRAW, Level.EASY, trail=Trail(Setup(TIC_TAC_TOE, Level.EASY), 0, 0)
        ),
        "Ana has lost, with a hint": make_bot_match(O_WON, Level.MEDIUM, hints=1),
        "Ana has lost at the lowest level": make_bot_match(O_WON, Level.CHILD),
        "A draw at the highest level, with hints": make_bot_match(DRAW, hints=2),
        "Ana has won at the highest level": make_bot_match(
            "xxx. oo.. .... ....", rules=Rules(4, 4, 3)
        ),
        "Ana's first win against a level": as_o(O_WON, trail=FIRST),
        "Somebody's, who was forgotten": make_bot_match(
            DRAW, Level.PERFECT, x=Player(DELETED_USER_ID)
        ),
    },
    "Between people": {
        "Ana has played A1": make_match("x.. ... ..."),
        "They have played before": make_match(PLAYED, head_to_head=SCORE),
        "Ben has won, and the score counts this match": make_match(O_WON, head_to_head=SCORE),
        "A draw, the second": make_match(DRAW, head_to_head=SCORE),
        "A draw, the third": make_match(DRAW, head_to_head=HeadToHead(drawn=2)),
        "A draw in their first match": make_match(DRAW, head_to_head=HeadToHead()),
        "Ana asks for a rematch": make_match(X_WON, head_to_head=SCORE, rematch_asked_by=ANA),
        "Ben has agreed": make_match(
            X_WON, head_to_head=SCORE, rematch_asked_by=BEN, next_id=NEXT_MATCH
        ),
        "Ben was forgotten": make_match(X_WON, head_to_head=SCORE, o=Player(DELETED_USER_ID)),
    },
    "Challenges": {
        "Open": challenge(),
        "Open, on another board, between people who have played before": challenge(
            rules=Rules(4, 4, 3), moves=(), head_to_head=HeadToHead(lost=1)
        ),
        "Open, and Ben begins": challenge(x=Player(BEN), o=Player(ANA)),
        "Declined": challenge(early_ending=Ending(EndReason.DECLINED)),
        "Cancelled": challenge(early_ending=Ending(EndReason.CANCELLED)),
        "Not answered in time": challenge(early_ending=Ending(EndReason.LAPSED)),
        "Stopped by a moderator": challenge(early_ending=Ending(EndReason.STOPPED)),
    },
    "Ended early": {
        "Ana has resigned": ended(EndReason.RESIGNED, Mark.O, head_to_head=SCORE),
        "Ben has resigned after one move": ended(EndReason.RESIGNED, Mark.X, board="x.. ... ..."),
        "Ana has resigned before the first move": ended(EndReason.RESIGNED, Mark.O, board=EMPTY),
        "Ben's time ran out": ended(EndReason.TIMED_OUT, Mark.X, board="x.. .o. ..x"),
        "Time ran out against the bot": make_bot_match(
            PLAYED, early_ending=Ending(EndReason.CALLED_OFF)
        ),
        "Time ran out, and nobody has moved": ended(EndReason.CALLED_OFF, board=EMPTY),
        "Stopped by a moderator": ended(EndReason.STOPPED),
        "Ben left": ended(EndReason.LEFT, o=Player(DELETED_USER_ID)),
    },
    "Larger boards": {
        "4x4, three in a row, nobody has moved": make_match(moves=(), rules=Rules(4, 4, 3)),
        "4x4, four in a row, won": make_match("x... ox.. .ox. ..ox", rules=Rules(4, 4, 4)),
        "5x5, four in a row": make_match("..... .x... ..o.. ..... .....", rules=Rules(5, 5, 4)),
        "5x5, five in a row, won": make_match(
            "xxxxx oooo. ..... ..... .....", rules=Rules(5, 5, 5)
        ),
    },
    "Infinite": {
        "Nobody has moved": make_bot_match(moves=(), rules=INFINITE),
        "Nothing vanishes yet": make_bot_match(moves=ROUND[:4], rules=INFINITE),
        "Ana's A1 vanishes next": make_bot_match(moves=ROUND[:6], rules=INFINITE),
        "Ana's A1 has vanished, and she has won": make_bot_match(
            moves=(*ROUND[:6], 6), rules=INFINITE
        ),
        "The third move before a draw": make_bot_match(moves=(7 * ROUND)[:57], rules=INFINITE),
        "The last move before a draw": make_bot_match(moves=(7 * ROUND)[:59], rules=INFINITE),
        "A draw": make_bot_match(moves=(7 * ROUND)[:60], rules=INFINITE),
    },
    "Misère": {
        "Ana has moved": make_bot_match(PLAYED, rules=MISERE),
        "Ana has three in a row, and has lost": make_bot_match(X_WON, rules=MISERE),
        "The bot has three in a row, and has lost": make_bot_match(
            "ooo xx. x..", Level.HARD, rules=MISERE
        ),
    },
}


def board(match: Match, language: Language) -> ui.LayoutView:
    return match_view(placed(match, language))


def moved(match: Match, language: Language) -> ui.LayoutView:
    return moved_view(placed(match, language))


def test_board(snapshot: SnapshotAssertion) -> None:
    transcript = Transcript("Board")
    for heading, screens in SCREENS.items():
        transcript.heading(heading)
        transcript.show_all(screens, board)
    transcript.heading("Beside the board")
    transcript.show("Its newer message is elsewhere", partial(moved, make_match(PLAYED)))
    transcript.show("The same, once somebody has won", partial(moved, make_match(X_WON)))
    transcript.show("Ana wants to resign", partial(resign_question_view, make_match(PLAYED)))
    transcript.show("The same, and nobody has moved", partial(resign_question_view, make_match()))
    assert str(transcript) == snapshot


def test_every_ending_is_shown() -> None:
    shown = [match for screens in SCREENS.values() for match in screens.values()]
    assert {match.ending.reason for match in shown if match.ending} == set(EndReason)
