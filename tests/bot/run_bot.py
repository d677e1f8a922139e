"""`python -m bot` with Discord at another address, given as the argument."""

from __future__ import annotations

import sys

from bot.__main__ import main
from tests.bot.address import speak_to

if __name__ == "__main__":
    speak_to(sys.argv[1])
    raise SystemExit(main([]))
