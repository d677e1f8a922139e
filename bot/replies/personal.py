"""What somebody is shown about themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.game.outcome import DeletionQuestioned, Download, Forgotten, Kept, Personal
from bot.texts import privacy_texts_for
from bot.views.privacy import delete_question, privacy_view

if TYPE_CHECKING:
    from bot.replies.reply import Reply


async def show_personal(reply: Reply, outcome: Personal) -> None:
    """Show it to that person, in their language."""
    texts = privacy_texts_for(reply.locale)
    match outcome:
        case Kept(choices):
            await reply.show(privacy_view(choices, texts))
        case DeletionQuestioned():
            await reply.show(delete_question(texts))
        case Download(content, is_packed):
            await reply.send_file("velha.json.gz" if is_packed else "velha.json", content)
        case Forgotten():
            await reply.say_done(texts.forgotten())
