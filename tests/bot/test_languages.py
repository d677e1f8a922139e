"""One evening of five people who read five languages: each is answered in their own."""

from __future__ import annotations

import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from bot.views.catalogues import language_of
from tests.bot.simulated_guild import SeenMessage, SimulatedGuild
from tests.bot.translations import translate, translations

LOCALES = ("en-US", "pt-BR", "es-419", "fr", "de")


class Evening:
    """Each member in a channel of their own, in a server that has chosen no language."""

    def __init__(self, guild: SimulatedGuild) -> None:
        self.guild = guild
        guild.env.backend.get_guild(guild.handle.id).preferred_locale = "en-US"
        self.people: dict[str, tuple[MemberActor, ChannelHandle]] = {}
        for locale in LOCALES:
            member = guild.handle.add_member(guild.env.create_user(locale))
            guild.world.locales[member.id] = locale
            self.people[locale] = member, guild.handle.create_text_channel(locale)

    async def command(self, name: str) -> dict[str, SeenMessage]:
        """What each member is shown for a command, by locale."""
        shown = {}
        for locale, (member, channel) in self.people.items():
            await member.slash(channel, f"velha {name}")
            shown[locale] = self.guild.page(channel)
        return shown

    async def start(self) -> dict[str, SeenMessage]:
        """The boards that they open, by locale."""
        for member, channel in self.people.values():
            await self.guild.start(member, channel)
        return self.boards()

    def boards(self) -> dict[str, SeenMessage]:
        return {locale: self.guild.newest(channel) for locale, (_, channel) in self.people.items()}

    async def play(self, cell: str, on: dict[str, SeenMessage]) -> dict[str, SeenMessage]:
        for locale, (member, _) in self.people.items():
            await self.guild.press(member, cell, on[locale])
        return self.boards()

    async def press(self, label: str, on: dict[str, SeenMessage]) -> dict[str, SeenMessage]:
        """What each sees in private once they have pressed a button, named in English."""
        shown = {}
        for locale, (member, channel) in self.people.items():
            await self.guild.press(member, translate(language_of(locale), label), on[locale])
            shown[locale] = self.guild.page(channel)
        return shown


@pytest.fixture
async def evening(guild: SimulatedGuild) -> Evening:
    return Evening(guild)


def check(shown: dict[str, SeenMessage], sentence: str) -> None:
    """The buttons and a sentence are in each reader's language, and no two read the same."""
    english = shown["en-US"]
    for locale, seen in shown.items():
        language = language_of(locale)
        assert translate(language, sentence) in seen.text
        for label, translated in zip(english.labels, seen.labels, strict=True):
            assert translated.strip("▲▼ ") in translations(language, label.strip("▲▼ "))
    assert len({seen.text for seen in shown.values()}) == len(LOCALES)


@pytest.mark.parametrize(
    ("page", "sentence"),
    [("learn", "The game tree"), ("privacy", "Anyone can challenge you.")],
)
async def test_a_page_is_in_the_reader_s_language(
    evening: Evening, page: str, sentence: str
) -> None:
    check(await evening.command(page), sentence)


async def test_the_help_is_in_the_reader_s_language(evening: Evening) -> None:
    shown = await evening.command("help")
    assert [seen.labels for seen in shown.values()] == [
        ["Play"],
        ["Jogar"],
        ["Jugar"],
        ["Jouer"],
        ["Spielen"],
    ]
    assert len({seen.text for seen in shown.values()}) == len(LOCALES)


async def test_a_match_is_in_the_language_of_whoever_opened_it_from_board_to_review(
    evening: Evening,
) -> None:
    boards = await evening.start()
    check(boards, "to pass: a win without hints")
    check(await evening.press("Hint", boards), "With best play from here, it's a draw.")
    boards = await evening.play("A1", boards)
    assert all(len(board.free) == 7 for board in boards.values())
    asked = await evening.press("Resign", boards)
    check(asked, "Really resign? You'd lose the match.")
    await evening.press("Resign", asked)
    finished = evening.boards()
    check(finished, "I win this time.")
    reviews = await evening.press("Review", finished)
    for locale, review in reviews.items():
        _before, after_name = translate(language_of(locale), "{loser} resigned.").split("{loser}")
        assert after_name in review.text
        assert translate(language_of(locale), "More") in review.labels
