"""The messages that show matches: posting, redrawing and replacing them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial

from bot.domain.match_actions import BoardChanged
from bot.domain.matches import Match, MatchOpened, Place
from bot.domain.refusals import Refusal, RefusalReason, UnavailableError
from bot.messaging.errors import DISCORD_ERRORS, error_summary, is_already_answered
from bot.messaging.messages import Messages
from bot.messaging.reply import Reply
from bot.services.matches import MatchService
from bot.views.matches import match_view, moved_view

_log = logging.getLogger(__name__)


class MatchMessages:
    """The messages that show matches. A failed edit is not retried: the next press redraws it."""

    def __init__(self, messages: Messages, matches: MatchService) -> None:
        self._messages = messages
        self._matches = matches

    async def redraw(self, match: Match) -> bool:
        """Redraw a match on its message; False if the message could not be edited."""
        is_shown = await self._messages.edit(
            match.place,
            partial(match_view, match),
            when_late=lambda _: self.redraw_if_changed(match),
        )
        if is_shown or match.place.message_id is None:  # it may have been posted meanwhile
            return await self.redraw_if_changed(match) or is_shown
        return False

    async def redraw_all(self, matches: Iterable[Match]) -> None:
        """Redraw matches concurrently; one that cannot be drawn is logged and affects no other."""
        results = await asyncio.gather(*map(self.redraw, matches), return_exceptions=True)
        for result in results:
            if isinstance(result, Exception):
                _log.error("A board could not be drawn.", exc_info=result)

    async def redraw_if_changed(self, drawn: Match) -> bool:
        """Redraw a match if it has changed since it was `drawn`: a slow edit may have hidden that.

        If the board was reposted meanwhile, its old message links to the new one again.

        Returns:
            Whether it was redrawn.
        """
        with suppress(UnavailableError):
            current = await self._matches.load(drawn.id)
            if current is None or current.place.message_id is None:
                return False
            if current.place.message_id != drawn.place.message_id:
                await self._replace_with_link(drawn.place, current)
                return await self.redraw(current)
            if current.version > drawn.version:
                return await self.redraw(current)
        return False

    async def _replace_with_link(self, old: Place, match: Match) -> None:
        """Replace a board by a link to the newer message of its match."""
        await self._messages.edit(old, partial(moved_view, match))

    async def post_new(self, reply: Reply, opened: MatchOpened) -> None:
        """Post a new match; if that fails, abandon it to free its channel."""
        match = opened.match
        try:
            message_id = await reply.post(
                partial(match_view, match),
                pinged_user_id=opened.pinged_user_id,
                when_late=partial(self._record_shown, match),
            )
        except Exception as error:
            other_message_id = None
            if is_already_answered(error):
                other_message_id = await _posted_by_other_process(reply, match)
            if other_message_id is None:
                await self.abandon_unseen(opened)
            else:
                await self._record_shown(match, other_message_id)
            raise
        await self._record_shown(match, message_id)

    async def _record_shown(self, match: Match, message_id: int) -> None:
        """Store which message shows a match, and redraw it if the match has changed meanwhile.

        Who changed it did not know of the message.
        """
        if not await self._matches.record_shown(match, message_id):
            await self.redraw_if_changed(_shown_by(match, message_id))

    async def abandon_unseen(self, opened: MatchOpened) -> None:
        """Abandon a match that was never shown; it may be a rematch of another."""
        new_id = opened.match.id
        previous = next((match for match in opened.also_changed if match.next_id == new_id), None)
        await self._matches.abandon(opened.match, previous)

    async def repost(self, reply: Reply, match: Match) -> None:
        """Post a match again; its old message then links to the new one."""
        record = partial(self._record_reposted, match)
        await record(await reply.post(partial(match_view, match), when_late=record))

    async def _record_reposted(self, match: Match, message_id: int) -> None:
        await self._record_shown(match, message_id)
        await self._replace_with_link(match.place, _shown_by(match, message_id))

    async def answer_press(self, reply: Reply, changed: BoardChanged) -> None:
        """Redraw the message that was pressed, in answer or, if that fails, by its id.

        If another process has answered, it shows the current state.
        """
        match = changed.match
        view = moved_view if changed.reason is RefusalReason.BOARD_MOVED else match_view
        draw = partial(view, match)
        try:
            await reply.edit_message(draw, when_late=lambda _: self.redraw_if_changed(match))
        except DISCORD_ERRORS as error:
            if is_already_answered(error):
                raise
            _log.warning(
                "Match %d could not be shown in answer: %s", match.id, error_summary(error)
            )
            if not await self.redraw(match) and changed.reason is None:
                await reply.apologize(RefusalReason.BOARD_GONE)
        else:
            if reply.is_deferred:
                await self.redraw_if_changed(match)
        if changed.reason:
            await reply.refuse(Refusal(changed.reason, match))

    async def send_text_and_redraw(self, reply: Reply, sentence: str, match: Match) -> None:
        """Send a sentence and redraw a match; post it again if its message cannot be edited."""
        try:
            await reply.replace_with_text(sentence)
        finally:  # the change is stored, so it is shown even if the sentence failed
            is_shown = await self.redraw(match)
        if not is_shown:
            record = partial(self._record_shown, match)
            await record(await reply.post(partial(match_view, match), when_late=record))


def _shown_by(match: Match, message_id: int) -> Match:
    return replace(match, place=replace(match.place, message_id=message_id))


async def _posted_by_other_process(reply: Reply, match: Match) -> int | None:
    """The id of the message with which another process answered, if it shows the match."""
    original = await reply.original_response()
    if original is None:
        return None
    components = str([component.to_dict() for component in original.components])
    return original.id if f"velha:{match.id}:" in components else None
