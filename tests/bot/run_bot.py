"""`python -m bot` with Discord at another address, given as the argument."""

from __future__ import annotations

import sys

from bot.__main__ import main
from tests.bot.address import speak_to


def run(url: str, *arguments: str) -> int:
    speak_to(url)
    return main(arguments)


if __name__ == "__main__":
    raise SystemExit(run(*sys.argv[1:]))
