"""The texts of the playground, in the terminal and in its channel."""

from __future__ import annotations

from bot.views.i18n import Texts


class PlaygroundTexts(Texts):
    """How to use the playground's simulated Discord, in one language."""

    def welcome(self, url: str) -> str:
        """The text in the terminal."""
        return self._(
            "\n"
            "The playground is open: {url}\n"
            "\n"
            "Its first message says what to type. Ana and Rui read Portuguese, Ben reads "
            "English.\n"
            "Boards speak the language of whoever opens them, until Rui, who owns the server,\n"
            "chooses one with /velha settings. Only the newest messages are kept.\n"
            "TURN_MINUTES=1 and CHALLENGE_MINUTES=1 in the environment shorten the waits.\n"
            "Ctrl-C ends it, and forgets everything.\n",
            url=url,
        )

    def closed(self) -> str:
        return self._("The playground is closed.")

    def greeting(self) -> str:
        # Translators: the page around it is English; "Viewing as" is written there.
        return self._(
            "**Shall we play?** Type `/velha start`, press Enter to choose the command, and "
            "click the arrow on the right.\n"
            "-# You're the person named at the top, after *Viewing as*."
        )

    def sent_as_text(self) -> str:
        return self._(
            "That went out as text. Type `/`, choose a command from the list with Enter or a "
            "click, and then click the arrow on the right."
        )

    def elsewhere(self) -> str:
        return self._("You're playing in another tab. Close it, and the playground opens here.")
