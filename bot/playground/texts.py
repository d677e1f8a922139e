"""How to use the playground's simulated Discord: in the terminal, in its channel, on its page."""

from __future__ import annotations

from bot.views.i18n import N_, Language


# Translators, from here on: for someone who tries the bot in a browser. The page around it is
# English.
def welcome(language: Language, url: str, owner: str) -> str:
    """The text that is printed in the terminal."""
    return language.say(
        N_(
            "\n"
            "The playground is open: {url}\n"
            "\n"
            "A board is waiting. Press a square. At the top, Viewing as says who you are.\n"
            "Ana reads Portuguese, Ben English and Rui the language of the page.\n"
            "Only {owner}, who owns the server, may use /velha settings.\n"
            "Another language: --language en or --language pt-BR.\n"
            "Only the newest messages are kept.\n"
            "TURN_MINUTES=1 and CHALLENGE_MINUTES=1 in the environment shorten the waits.\n"
            "Ctrl-C ends it, and forgets everything.\n"
        ),
        url=url,
        owner=owner,
    )


def closed(language: Language) -> str:
    return language.say(N_("The playground is closed."))


def greeting(language: Language) -> str:
    return language.say(
        # Translators: the page around it is English; "Viewing as" is written there.
        N_(
            "**Your move. Press a square.** For everything else, type `/`.\n"
            "-# At the top, under *Viewing as*, you become someone else."
        )
    )


def sent_as_text(language: Language) -> str:
    return language.say(
        N_(
            "That went out as text. Type `/` and pick a command from the list. Enter picks it, "
            "and Enter again sends it."
        )
    )


def slow(language: Language) -> str:
    return language.say(
        # Translators: while a command takes longer than usual.
        N_("This is taking longer than usual. Nothing's lost, and the answer will come.")
    )
