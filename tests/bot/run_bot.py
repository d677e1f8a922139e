"""`python -m bot` with Discord at another address, given as the argument."""

from __future__ import annotations

import sys

from bot.__main__ import main
from tests.bot.discord_address import use_discord_at


def run(url: str, *arguments: str) -> int:
    use_discord_at(url)
    return main(arguments)


if __name__ == "__main__":
    raise SystemExit(run(*sys.argv[1:]))
