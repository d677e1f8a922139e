"""The texts of the playground, in the terminal and in its channel."""

from __future__ import annotations

from bot.views.i18n import Texts


class PlaygroundTexts(Texts):
    """How to use the playground's simulated Discord, in one language."""

    # Translators, from here on: for somebody who tries the bot in a browser. The page around it is
    # English.
    def welcome(self, url: str, owner: str) -> str:
        """The text that is printed in the terminal."""
        return self._(
            "\n"
            "The playground is open: {url}\n"
            "\n"
            "A board is waiting: press a square. At the top, Viewing as says who you are.\n"
            "Ana reads Portuguese, Ben English, and Rui the language of the page.\n"
            "Only {owner}, who owns the server, may use /velha settings.\n"
            "Another language: --language en or --language pt-BR.\n"
            "Only the newest messages are kept.\n"
            "TURN_MINUTES=1 and CHALLENGE_MINUTES=1 in the environment shorten the waits.\n"
            "Ctrl-C ends it, and forgets everything.\n",
            url=url,
            owner=owner,
        )

    def closed(self) -> str:
        return self._("The playground is closed.")

    def greeting(self) -> str:
        # Translators: the page around it is English; "Viewing as" is written there.
        return self._(
            "**It's your move: press a square.** For everything else, type `/`.\n"
            "-# At the top, under *Viewing as*, you become somebody else."
        )

    def sent_as_text(self) -> str:
        return self._(
            "That went out as text. Type `/`, and choose a command from the list: Enter chooses "
            "it, and Enter again sends it."
        )

    def slow(self) -> str:
        # Translators: while a command takes longer than usual.
        return self._("This is taking longer than usual. Nothing is lost: the answer will come.")
