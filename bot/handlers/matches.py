"""Matches: opening them, pressing their buttons, reposting and stopping them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from bot.domain.match_actions import (
    REMATCH_ACTIONS,
    BoardChanged,
    HintPlayed,
    MatchAction,
    MatchOutcome,
    OpponentCheck,
    Press,
    PressContext,
    ResignConfirmation,
    RestartPage,
)
from bot.domain.matches import BOARDS_BY_NAME, FirstPlayer, MatchOpened, MatchRequest, MatchStopped
from bot.domain.refusals import Refusal, RefusalReason
from bot.handlers.base import Handler, HandlerDependencies
from bot.handlers.match_counter import MatchCounter
from bot.messaging.interactions import (
    Interaction,
    Person,
    board_refusal,
    channel_id_of,
    opponent_refusal,
    parent_channel_id_of,
    place_of,
    post_refusal,
    press_context,
)
from bot.messaging.members import is_member
from bot.messaging.reply import Reply
from bot.views.descriptions import DescriptionTexts
from bot.views.matches import MatchTexts, resign_question_view
from engine import Level

_ANSWER_SECONDS = 3
"""Discord accepts no initial response later than that."""


Act = Callable[..., Awaitable[MatchOutcome | OpponentCheck]]
"""Does something to a match; it takes `has_opponent_left`, which is as in `PressContext`."""


class MatchHandler(Handler):
    """The commands for playing, and the buttons of matches."""

    def __init__(self, dependencies: HandlerDependencies, counter: MatchCounter) -> None:
        super().__init__(dependencies)
        self._counter = counter

    async def start(
        self,
        interaction: Interaction,
        opponent: Person | None = None,
        *,
        board: str | None = None,
        level: str | None = None,
        first: str | None = None,
    ) -> None:
        """Start a match; the options are as `/velha start` has them."""
        async with self._replies.to(interaction) as reply:
            if refusal := self._cooldown.use(interaction):
                return await reply.refuse(refusal)
            request = _match_request(interaction, opponent, board=board, level=level, first=first)
            if request is None:
                return await reply.refuse(Refusal(RefusalReason.UNKNOWN_OPTION))
            if refusal := board_refusal(interaction) or opponent_refusal(interaction, opponent):
                return await reply.refuse(refusal)
            outcome = await reply.wait(
                self._services.matches.open(request), show_late=self.show_late
            )
            await self.show(reply, outcome)

    async def restart(self, interaction: Interaction, page: RestartPage) -> None:
        """End one's own match, and start another in its channel."""
        async with self._replies.to(interaction) as reply:
            if refusal := self._cooldown.use(interaction) or board_refusal(interaction):
                return await reply.refuse(refusal)
            request = MatchRequest(
                id=interaction.id,
                place=place_of(interaction),
                opener_id=interaction.user.id,
                parent_id=parent_channel_id_of(interaction),
                rules=page.rules,
                level=page.level,
                first=page.first,
            )
            outcome = await reply.wait(
                self._services.matches.restart(page.match_id, request), show_late=self.show_late
            )
            for match in outcome.also_changed:
                self._counter.mark_due(match)
            await self.show(reply, outcome)
        await self._counter.count_if_due()

    async def challenge(self, interaction: Interaction, person: Person) -> None:
        """Start a match against a person, with the server's settings."""
        await self.start(interaction, person)

    async def repost(self, interaction: Interaction) -> None:
        """Post the channel's board again, as its newest message."""
        async with self._replies.to(interaction) as reply:
            if refusal := self._cooldown.use(interaction) or post_refusal(interaction):
                return await reply.refuse(refusal)
            match = await reply.wait(
                self._services.matches.repost(channel_id_of(interaction)),
                show_late=self.show_late,
            )
            if isinstance(match, Refusal):
                return await self.show(reply, match)
            await self._match_messages.repost(reply, match)

    async def stop(self, interaction: Interaction) -> None:
        """End the channel's match."""
        async with self._replies.to(interaction) as reply:
            stop = partial(
                self._services.matches.stop,
                channel_id=channel_id_of(interaction),
                user_id=interaction.user.id,
                is_moderator=interaction.permissions.manage_messages,
                interaction_id=interaction.id,
            )
            await self.show(reply, await self._act(interaction, reply, stop))
        await self._counter.count_if_due()

    async def _act(self, interaction: Interaction, reply: Reply, act: Act) -> MatchOutcome:
        """Do something to a match; if it matters, ask Discord first whether the opponent has left.

        It asks where the bot is a member.
        """
        is_bot_member = interaction.is_guild_integration()
        work = act(has_opponent_left=None if is_bot_member else False)
        outcome = await reply.wait(work, show_late=self.show_late)
        while isinstance(outcome, OpponentCheck):
            work = self._ask_and_act(interaction, reply, act, outcome.opponent_id)
            outcome = await reply.wait_for_page(work)
        return outcome

    async def _ask_and_act(
        self, interaction: Interaction, reply: Reply, act: Act, opponent_id: int
    ) -> MatchOutcome | OpponentCheck:
        assert interaction.guild_id is not None, "the bot is a member of it"
        seconds = self._replies.timeouts.members_seconds
        is_there = await is_member(interaction.client, interaction.guild_id, opponent_id, seconds)
        work = act(has_opponent_left=is_there is False)
        return await reply.wait(work, show_late=self.show_late)

    async def press(self, interaction: Interaction, press: Press) -> None:
        """Answer a press on a match's button, except for hints."""
        async with self._replies.to(interaction) as reply:
            if press.action in REMATCH_ACTIONS:
                refusal = self._cooldown.use(interaction) or post_refusal(interaction)
                if refusal:
                    return await reply.refuse(refusal)
            carry_out = partial(self._carry_out, press, press_context(interaction))
            work = self._act(interaction, reply, carry_out)
            if press.action is MatchAction.PLAY:  # the bot's reply may take long
                work = reply.wait_or_defer(work, in_place=True)
            await self.show(reply, await work)
        await self._counter.count_if_due()

    async def _carry_out(
        self, press: Press, context: PressContext, *, has_opponent_left: bool | None
    ) -> MatchOutcome | OpponentCheck:
        context = replace(context, has_opponent_left=has_opponent_left)
        return await self._services.match_actions.press(press, context)

    async def describe(self, interaction: Interaction, press: Press) -> None:
        """Describe the match's current position in words, to one person."""
        async with self._replies.to(interaction) as reply:
            match = await self._services.matches.load(press.match_id)
            if match is None or match.place.channel_id != channel_id_of(interaction):
                return await reply.refuse(Refusal(RefusalReason.UNKNOWN_MATCH))
            texts = DescriptionTexts(reply.language)
            await reply.send_text(texts.description(match, interaction.user.id))

    async def show(self, reply: Reply, outcome: MatchOutcome) -> None:
        """Show an outcome, and redraw the other matches that changed with it."""
        match outcome:
            case BoardChanged():
                await self._match_messages.answer_press(reply, outcome)
                self._counter.mark_due(outcome.match)
            case MatchStopped():
                await self._show_stopped(reply, outcome)
                self._counter.mark_due(outcome.match)
            case HintPlayed():
                await self._show_hint_played(reply, outcome)
                self._counter.mark_due(outcome.match)
            case ResignConfirmation():
                await reply.show_page(partial(resign_question_view, outcome.match))
            case MatchOpened():
                try:
                    await self._match_messages.post_new(reply, outcome)
                finally:  # the changes are stored, even if the answer failed
                    await self._match_messages.redraw_all(outcome.also_changed)
            case Refusal():
                try:
                    await reply.refuse(outcome)
                finally:
                    await self._match_messages.redraw_all(outcome.also_changed)

    async def _show_stopped(self, reply: Reply, stopped: MatchStopped) -> None:
        match = stopped.match
        sentence = MatchTexts(reply.language).stop_confirmation(match)
        await self._match_messages.send_text_and_redraw(reply, sentence, match)
        if stopped.changed_since_question:  # the answer to that may come late, with an older board
            await asyncio.sleep(_ANSWER_SECONDS)
            await self._match_messages.redraw(match)

    async def _show_hint_played(self, reply: Reply, outcome: HintPlayed) -> None:
        match = outcome.match
        cell = match.rules.coordinate(outcome.cell)
        sentence = MatchTexts(reply.language).move_confirmation(cell, match.place.link)
        await self._match_messages.send_text_and_redraw(reply, sentence, match)

    async def show_late(self, outcome: object) -> None:
        """Show an outcome that came too late for an answer; take back a match that was opened."""
        match outcome:
            case MatchOpened():
                await self._match_messages.abandon_unseen(outcome)
                await self._match_messages.redraw_all(outcome.also_changed)
            case BoardChanged(match) | MatchStopped(match) | HintPlayed(match):
                await self._match_messages.redraw(match)
            case Refusal():
                await self._match_messages.redraw_all(outcome.also_changed)
            case _:  # it would have changed no message that others see
                pass

    async def expire(self) -> None:
        """End and redraw some of the matches whose time is up."""
        ended = await self._replies.late_results.wait(
            self._services.matches.expire(), self._match_messages.redraw_all
        )
        await self._match_messages.redraw_all(ended)


def _match_request(
    interaction: Interaction,
    opponent: Person | None,
    *,
    board: str | None,
    level: str | None,
    first: str | None,
) -> MatchRequest | None:
    """The match that is asked for; None if an option's value is not one of its choices.

    Discord's own clients send nothing else, but discord.py does not check it.
    `MatchRequest` says what an option that was left out means.
    """
    if not isinstance(opponent, Person | None):
        return None
    try:
        rules = None if board is None else BOARDS_BY_NAME[board]
        bot_level = None if level is None else Level[level]
        first_player = FirstPlayer.OPENER if first is None else FirstPlayer(first)
    except (KeyError, ValueError):
        return None
    return MatchRequest(
        id=interaction.id,
        place=place_of(interaction),
        opener_id=interaction.user.id,
        opponent_id=opponent.id if opponent else None,
        parent_id=parent_channel_id_of(interaction),
        rules=rules,
        level=bot_level,
        first=first_player,
    )
