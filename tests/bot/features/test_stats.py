"""Results, as people see them, and their last matches."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.domain.ids import DELETED_USER_ID
from bot.domain.matches import HeadToHead, Place, Player
from bot.domain.refusals import RefusalReason, Refused
from bot.domain.stats import Stats, StatsPage, Tally, TallyKey
from bot.features import stats
from bot.store.matches import prune
from engine import TIC_TAC_TOE
from tests.bot.backend import App
from tests.bot.contexts import context
from tests.bot.databases import both_databases, call, forget_person, save_choices, save_settings
from tests.bot.example_matches import (
    ANA,
    BEN,
    CHANNEL,
    NOON,
    RUI,
    SERVER,
    VELHA,
    make_match,
    over,
    over_against_bot,
)
from tests.bot.refusals import Refusal, refusal_of
from tests.bot.simulated_guild import SimulatedGuild, private_text
from tests.bot.views.examples import text_of

PEOPLE = TallyKey(TIC_TAC_TOE)
LATER, TODAY = 10_000, NOON.date()
A_DAY = timedelta(days=1)


async def win(guild: SimulatedGuild) -> None:
    """Ana, who reads Portuguese, beats Ben, who reads English; the server reads English."""
    await guild.challenge()
    await guild.play(
        *((guild.ana, "A1"), (guild.ben, "A2"), (guild.ana, "B1"), (guild.ben, "B2")),
        (guild.ana, "C1"),
    )


async def test_a_button_shows_results_to_everybody_in_the_server_s_language(
    guild: SimulatedGuild,
) -> None:
    await win(guild)
    save_settings(guild.bots[-1].store, guild.handle.id, language="pt_BR")
    await guild.ben.slash(guild.channel, "velha stats")
    await guild.press(guild.ben, "Show everyone", guild.page())
    posted = guild.messages()[-1]
    assert "### Contra pessoas\n**3x3**: 1 derrota" in posted.text
    assert posted.labels == []


async def test_the_menu_on_a_person_shows_results_of_people_only(guild: SimulatedGuild) -> None:
    await guild.ben.context_menu(guild.channel, "Tic-tac-toe results", guild.ana)
    assert guild.page().text.startswith(f"## {guild.ana.mention}\n")
    told = await guild.ben.context_menu(guild.channel, "Tic-tac-toe results", guild.bot_member())
    assert private_text(told) == "I only keep results for people, not for bots."


# To whom


def results(app: App, of: int, asker_id: int = ANA) -> Stats:
    return call(app.store, stats.load, of, asker_id=asker_id, today=TODAY)


async def test_everybody_sees_their_own_results_and_those_of_others(app: App) -> None:
    app.end(over(1))
    won, lost = {PEOPLE: Tally(won=1, unbeaten=1, longest=1)}, {PEOPLE: Tally(lost=1)}
    for of, found, score in ((ANA, won, HeadToHead()), (BEN, lost, HeadToHead(won=1))):
        told = results(app, of)
        counts = {key: replace(tally, kept=0, critical=0) for key, tally in told.tallies.items()}
        assert (counts, told.head_to_head) == (found, score)


@both_databases
async def test_hidden_results_are_shown_only_to_the_person_themselves(app: App) -> None:
    save_choices(app.store, BEN, is_hidden=True)
    assert results(app, BEN, asker_id=BEN).is_empty
    show_everybody = stats.post(context(app.backend.runtime), StatsPage(BEN))
    with pytest.raises(Refused) as refused:
        await show_everybody
    assert refusal_of(refused.value) == Refusal(RefusalReason.STATS_HIDDEN, person_id=BEN)
    save_choices(app.store, BEN, is_hidden=False)
    assert results(app, BEN).is_empty


async def test_who_hides_takes_the_score_off_boards_and_rematches(app: App) -> None:
    score = HeadToHead(won=1)
    going, done = make_match("x.. .o. ...", head_to_head=score), over(1, head_to_head=score)
    others = over(2, o=Player(RUI), head_to_head=score)
    app.add_all([going, done, others])
    save_choices(app.store, BEN, is_hidden=True)
    shown_scores = [app.load(match).head_to_head for match in (going, done, others)]
    assert shown_scores == [None, None, score]


# Last matches

HERE = Place(CHANNEL, SERVER, "en")


def opponents(app: App, place: Place = HERE) -> list[int]:
    """Whom Ana is told that she played, the newest match first."""
    last = call(app.store, stats.load_last_matches, ANA, place)
    assert last.user_id == ANA
    return [match.opponent_of(ANA) for match in last.matches]


async def test_opponents_are_named_only_where_the_match_was_played(app: App) -> None:
    app.add(over(1))
    app.add(over(2, place=Place(CHANNEL + 1, SERVER, "en")))
    app.add(over(3, place=Place(CHANNEL + 2, SERVER + 1, "en")))
    app.add(over_against_bot(4, place=Place(CHANNEL + 3, SERVER + 1, "en")))
    app.add(over(5, place=Place(CHANNEL + 4, None, "en")))
    app.add(over(6, x=Player(BEN), o=Player(RUI), opened_by=BEN))
    somebody = DELETED_USER_ID
    assert opponents(app) == [somebody, VELHA, somebody, BEN, BEN]
    direct = Place(CHANNEL + 4, None, "en")
    assert opponents(app, direct) == [BEN, VELHA, somebody, somebody, somebody]
    elsewhere = Place(CHANNEL + 5, None, "en")
    assert opponents(app, elsewhere) == [somebody, VELHA, somebody, somebody, somebody]


async def test_everybody_is_shown_their_own_last_matches(app: App) -> None:
    app.add(over(1))
    for who, told in ((ANA, "you won"), (BEN, "you lost"), (RUI, "Nothing to show yet.")):
        asked = context(app.backend.runtime, user_id=who)
        assert told in text_of(await stats.show_last_matches(asked))


async def test_an_opponent_who_hides_is_not_named(app: App) -> None:
    app.add(over(1))
    app.add(over(2, o=Player(RUI)))
    save_choices(app.store, BEN, is_hidden=True)
    assert opponents(app) == [RUI, DELETED_USER_ID]


async def test_deleted_and_old_matches_are_gone_from_the_list(app: App) -> None:
    app.add(over(1))
    app.add(over(2, o=Player(RUI)))
    forget_person(app.store, BEN, LATER)
    assert opponents(app) == [RUI, DELETED_USER_ID]
    call(app.store, prune, NOON + A_DAY, LATER)
    assert opponents(app) == []
    app.add(over(3))
    forget_person(app.store, ANA, LATER)
    assert opponents(app) == []
