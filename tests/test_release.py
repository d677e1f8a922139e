"""A tag is published only if numbers, tables and changelog are those of its release."""

from __future__ import annotations

import bot
from bot.store.migrations import known_revisions
from tests.tools.release import newest_revision, numbers, problems

RELEASED = f"""# Changelog

## [{bot.__version__}] - 2026-12-01

Tables: revision {newest_revision()}.

## [0.9.0] - 2026-11-23

Tables: revision 0900.
"""


def test_every_file_has_the_same_number() -> None:
    assert set(numbers().values()) == {bot.__version__}


def test_the_revision_is_that_of_the_migrations() -> None:
    assert newest_revision() == known_revisions()[-1]


def test_a_tag_with_all_of_these_is_published() -> None:
    assert problems(f"v{bot.__version__}", RELEASED, [bot.__version__]) == []


def test_a_tag_of_another_release_is_refused() -> None:
    found = problems("v0.9.0", RELEASED, [bot.__version__])
    assert f"Dockerfile says {bot.__version__}" in found
    assert f"docs/en/CHANGELOG.md says 0900 of tables at revision {newest_revision()}" in found
    assert "tests/bot/released has no folder 0.9.0: make released" in found
    assert len(found) == 6


def test_a_release_that_the_changelog_does_not_date_is_refused() -> None:
    said = f"docs/en/CHANGELOG.md has no heading with {bot.__version__} and a date"
    assert problems(f"v{bot.__version__}", "## [Unreleased]: 1.0.0\n", [bot.__version__]) == [said]


def test_tables_that_the_changelog_does_not_name_are_refused() -> None:
    changelog = RELEASED.replace(f"Tables: revision {newest_revision()}.", "")
    said = f"docs/en/CHANGELOG.md says nothing of tables at revision {newest_revision()}"
    assert problems(f"v{bot.__version__}", changelog, [bot.__version__]) == [said]
