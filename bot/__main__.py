"""The command line of `python -m bot`."""

from __future__ import annotations

import sys

_BAD_SETTINGS = 2
_USAGE = """
python -m bot                       runs Velha on Discord
python -m bot playground            runs it in a local browser
python -m bot health                says whether the bot that was started like this is well
python -m bot backup FILE           copies its database into a new SQLite file, while it runs
python -m bot copy SOURCE TARGET    copies a database into an empty one, both by their URLs
"""


def main(arguments: list[str]) -> int:
    try:
        return _do(arguments)
    except ModuleNotFoundError as missing:
        if str(missing.name).startswith(("bot.", "engine")):
            raise
        return _fail(_which_python(missing))


def _do(arguments: list[str]) -> int:
    from bot.environment import SettingsError

    try:
        return _run(arguments)
    except SettingsError as problems:
        help_text = "Set these in the environment or in a file named .env (see .env.example):"
        return _fail(f"{help_text}\n{problems}")


def _run(arguments: list[str]) -> int:
    """Run the command asked for. No other is imported, as `health` is run often."""
    match arguments:
        case []:
            from bot.run import main as run
        case ["playground"]:
            from bot.playground import main as run
        case ["health"]:
            from bot.host.heartbeat import main as run
        case ["backup", file]:
            from bot.host.copies import back_up

            return back_up(file)
        case ["copy", source, target]:
            from bot.host.copies import copy_database

            return copy_database(source, target)
        case _:
            return _fail(f"Unknown: {' '.join(arguments)}\n{_USAGE}")
    return run()


def _which_python(missing: ModuleNotFoundError) -> str:
    python = r".venv\Scripts\python" if sys.platform == "win32" else ".venv/bin/python"
    return (
        f"This Python has no module {missing.name!r}: type `make play` for the playground, "
        f"or `{python} -m bot` for the bot; README.md says how .venv is made."
    )


def _fail(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return _BAD_SETTINGS


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
