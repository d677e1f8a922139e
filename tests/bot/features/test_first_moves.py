"""While the bot holds the database, it computes next to nothing: nobody waits for a first move."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import URL

from bot.domain.match_actions import MatchAction, Press
from bot.domain.matches import BOARDS, Ending, EndReason, FirstPlayer
from bot.domain.refusals import OverloadedError
from bot.runtime.bounded_lock import QueueLimits
from bot.runtime.engine_pool import EnginePool, warm_up
from engine import INFINITE, TIC_TAC_TOE, Level, Rules
from tests.bot.backend import App, Matches, match_opened, match_request
from tests.bot.databases import sqlite_with_tables
from tests.bot.example_matches import ANA, make_bot_match
from tests.bot.processes import ROOT

MOST_CALLS = 15_000
"""Of functions, in all of a game's transactions together: a few milliseconds."""

_Calls = dict[str, int]


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> _Calls:
    """The calls of functions in the threads that use the database, by board, after a start."""
    folder = tmp_path_factory.mktemp("fresh")
    script = [sys.executable, "-m", __name__, str(folder)]
    printed = subprocess.run(script, cwd=ROOT, stdout=subprocess.PIPE, check=True, timeout=120)
    calls: _Calls = json.loads(printed.stdout)
    return calls


async def _count_calls(url: URL) -> _Calls:
    warm_up()
    app = App(url)
    calls = Counter[str]()
    board = "compiling the statements"

    def count(_frame: object, event: str, _argument: object) -> None:
        if event == "call" and threading.current_thread().name.startswith("database"):
            calls[board] += 1

    threading.setprofile(count)
    for number, rules in enumerate((TIC_TAC_TOE, *BOARDS)):
        await _play(app, rules, 100 * (number + 1))
        board = BOARDS[min(number, len(BOARDS) - 1)].name
    await app.close()
    return calls


async def _play(app: App, rules: Rules, number: int) -> None:
    """The bot moves first in a match, then in a rematch; on small boards it replies, too."""
    options = {"rules": rules, "level": Level.PERFECT}
    first = await app.backend.open(
        match_request(number, ANA, channel_id=number, first=FirstPlayer.OPPONENT, **options)
    )
    assert len(first.moves) == 1
    await app.backend.concede(first, ANA)
    match = await app.backend.open(match_request(number + 10, ANA, channel_id=number, **options))
    if rules.is_small:
        await app.backend.press(Press(match.id, match.version, MatchAction.PLAY, 0), ANA, match)
        match = await app.backend.load(match)
        assert len(match.moves) == 2
    await app.backend.concede(match, ANA)
    match = await app.backend.load(match)
    press = Press(match.id, match.version, MatchAction.REMATCH)
    rematch = match_opened(await app.backend.press(press, ANA, match, number + 20)).match
    assert len(rematch.moves) == 1


@pytest.mark.parametrize("rules", BOARDS, ids=lambda rules: rules.name)
def test_a_first_move_is_not_computed_while_the_database_is_held(
    calls: _Calls, rules: Rules
) -> None:
    assert 0 < calls[rules.name] < MOST_CALLS


@pytest.fixture(params=["no place in the queue", "no turn in time"])
async def busy_app(app: App, request: pytest.FixtureRequest) -> App:
    """The engine has no time for a move before a new message is due."""
    if request.param == "no turn in time":
        database = app.backend.database
        database.limits = replace(database.limits, answer_seconds=1)
        await app.backend.engine.queues["moves"].acquire()
        return app
    engine = EnginePool(random.Random(1), moves=QueueLimits(0, 1, 1))
    app.backend.runtime = replace(app.backend.runtime, engine=engine)
    app.matches = Matches(app.backend.runtime)
    return app


async def test_a_match_whose_first_move_the_engine_has_no_time_for_is_not_opened(
    busy_app: App,
) -> None:
    request = match_request(8, ANA, rules=INFINITE, level=Level.EASY)
    with pytest.raises(OverloadedError):
        await busy_app.open(replace(request, first=FirstPlayer.OPPONENT))
    await busy_app.open(request)


async def test_a_rematch_whose_first_move_the_engine_has_no_time_for_can_be_asked_for_again(
    busy_app: App,
) -> None:
    over = busy_app.add(
        make_bot_match(rules=INFINITE, moves=(), early_ending=Ending(EndReason.CALLED_OFF))
    )
    with pytest.raises(OverloadedError):
        await busy_app.press(over, MatchAction.REMATCH)
    assert busy_app.load(over) == over


if __name__ == "__main__":
    in_folder = sqlite_with_tables(Path(sys.argv[1]))
    print(json.dumps(asyncio.run(_count_calls(in_folder))))  # noqa: T201 - for the test
