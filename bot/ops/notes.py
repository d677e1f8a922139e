"""What a running bot notes in its database for its host: the last of each kind, with its time."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from bot.store.facts import load_facts, save_fact

OUTAGE = "outage"
OTHER_BOT = "other bot"

_PREFIX = "noted "


def save_note(connection: Connection, kind: str, time: datetime, sentence: str) -> None:
    """Store a note in place of the last one of its kind."""
    save_fact(connection, f"{_PREFIX}{kind}", f"{time.isoformat(timespec='seconds')} {sentence}")


def load_notes(connection: Connection) -> list[tuple[datetime, str]]:
    """The notes of all kinds, the latest first."""
    notes = (value.split(" ", 1) for value in load_facts(connection, _PREFIX).values())
    return sorted(((datetime.fromisoformat(time), said) for time, said in notes), reverse=True)
