"""What Velha says of what it keeps about people."""

from __future__ import annotations

from bot.game.people import Choices
from bot.texts.words import N_, NC_, Language

KEPT = N_(
    "## What I keep about you\n"
    "- Your matches: who played, where, every move, and how they ended.\n"
    "- What you choose below.\n"
    "\n"
    "That is all."
)
ASKED = N_(
    "## Delete everything?\n"
    "Your matches stay without you: somebody nameless takes your place. Matches going on end "
    "without a result. What is written in channels already is beyond my reach."
)

ASKED_FOR_SERVER = N_(
    "## Forget this server?\n"
    "Its settings go, and no match says any more where it was played. Matches going on here end "
    "without a result. What is written in channels already is beyond my reach."
)


class PrivacyTexts:
    """What is kept about people, in one language."""

    def __init__(self, language: Language) -> None:
        self._ = language.say

    def kept(self, choices: Choices) -> str:
        return f"{self._(KEPT)}\n{self._challenges(choices)}"

    def _challenges(self, choices: Choices) -> str:
        if choices.takes_challenges:
            return self._("Anybody may challenge you.")
        return self._("Nobody can challenge you.")

    def question(self, *, of_server: bool) -> str:
        return self._(ASKED_FOR_SERVER if of_server else ASKED)

    def forgotten(self) -> str:
        return self._("Done: it is forgotten. If there was much, the rest goes within minutes.")

    def download_button(self) -> str:
        return self._(NC_("button", "Download"))

    def challenges_button(self, choices: Choices) -> str:
        if choices.takes_challenges:
            return self._(NC_("button", "No challenges"))
        return self._(NC_("button", "Allow challenges"))

    def ask_button(self) -> str:
        return self._(NC_("button", "Delete…"))

    def ask_for_server_button(self) -> str:
        return self._(NC_("button", "Forget this server…"))

    def delete_button(self) -> str:
        return self._(NC_("button", "Delete everything"))

    def back_button(self) -> str:
        return self._(NC_("button", "Keep it"))
