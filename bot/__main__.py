"""The command line of `python -m bot`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from pathlib import Path

if not __package__:  # `python bot` or `python bot/__main__.py`, as editors and panels start it
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from bot import __version__

_OLDEST_PYTHON = (3, 11)
_BAD_SETTINGS = 2
_SETTINGS = "Settings are read from the environment and from a file named .env (see .env.example)."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the arguments name, by default those of the process.

    Raises:
        SystemExit: After `--help` or `--version`, or, with the usage, if an argument is wrong.
    """
    if sys.version_info < _OLDEST_PYTHON:
        return _fail(_old_python_hint())
    options = _parser().parse_args(arguments)
    try:
        from bot.environment import SETTINGS_HINT, ConfigError, UsageError

        try:
            return _run(options)
        except UsageError as error:
            return _fail(str(error))
        except ConfigError as error:
            return _fail(f"{SETTINGS_HINT}\n{error}")
    except ModuleNotFoundError as error:
        if str(error.name).startswith(("bot.", "engine")):
            raise
        return _fail(_missing_module_hint(error))


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="python -m bot",
        description="Velha, tic-tac-toe for Discord. Without a command, runs the bot.",
        epilog=_SETTINGS,
    )
    parser.add_argument("--version", action="version", version=f"Velha {__version__}")
    parser.add_argument(
        "--hold",
        action="store_true",
        help="wait an hour before a wrong setting ends the bot, for supervisors that restart it",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")

    def add(name: str, text: str) -> ArgumentParser:
        return commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")

    playground = add("playground", "run the bot in a local browser, without Discord")
    playground.add_argument(
        "--language",
        type=_language_code,
        help="what the playground speaks, such as en or pt-BR; default: your system's language",
    )
    add("health", "exit with 0 if the running bot is well, else with 1")
    doctor = add("doctor", "check all that the bot needs, and say what to do; changes nothing")
    doctor.add_argument("--json", action="store_true", help="write it in JSON")
    backup = add("backup", "copy the database into a new file, while the bot runs")
    backup.add_argument(
        "target",
        metavar="TARGET",
        nargs="?",
        default="backups",
        help="the SQLite file to create (.db), - for standard output, or a folder that keeps the"
        " copies of seven days and three weeks, by default one named backups",
    )
    backup.add_argument(
        "--before-update",
        action="store_true",
        help="in a folder, keep this copy for 28 days; its name says what it is",
    )
    restore = add("restore", "replace the database by a copy, while the bot is stopped")
    restore.add_argument(
        "file", metavar="FILE", help="a copy that `backup` made; - is standard input"
    )
    restore.add_argument(
        "--without-copy",
        action="store_true",
        help="keep nothing of what is replaced, such as where it is damaged",
    )
    copy = add("copy", "copy a database into an empty one, such as from SQLite to PostgreSQL")
    copy.add_argument("source", metavar="SOURCE", help="the URL of the database to copy")
    copy.add_argument("target", metavar="TARGET", help="the URL of an empty database")
    return parser


def _run(options: Namespace) -> int:  # noqa: PLR0911 - one for each command
    """Run a command; only the modules that it needs are imported, as hosts run `health` often."""
    if options.command == "playground":
        from bot.playground import main as run_playground

        return run_playground(options.language)
    if options.command == "health":
        from bot.ops.heartbeat import report_health

        return report_health()
    if options.command == "doctor":
        from bot.ops.doctor import diagnose

        return diagnose(as_json=options.json)
    if options.command == "backup":
        from bot.ops.backups import back_up

        return back_up(options.target, before_update=options.before_update)
    if options.command == "restore":
        from bot.ops.restore import restore

        return restore(options.file, keeps_replaced=not options.without_copy)
    if options.command == "copy":
        from bot.ops.database_copy import run_copy_command

        return run_copy_command(options.source, options.target)
    from bot.run import main as run_bot

    return run_bot(hold=options.hold)


def _language_code(name: str) -> str:
    from bot.views.catalogues import LANGUAGES, nearest_language

    language = nearest_language(name)
    if language is None:
        raise ArgumentTypeError(f"{name!r} is not one of {', '.join(LANGUAGES)}")
    return language


def _old_python_hint() -> str:
    found = ".".join(map(str, sys.version_info[:3]))
    return (
        f"Velha needs Python 3.11 or newer, and this is {found}: install a newer one, and make"
        " .venv anew with it, such as `python3.11 -m venv --clear .venv`."
    )


def _missing_module_hint(error: ModuleNotFoundError) -> str:
    if sys.prefix != sys.base_prefix:
        return (
            f"This Python has no module {error.name!r}: install what is missing with"
            f" `{sys.executable} -m pip install -r requirements.txt`."
        )
    python = r".venv\Scripts\python" if sys.platform == "win32" else ".venv/bin/python"
    return (
        f"This Python has no module {error.name!r}: type `make play` for the playground, "
        f"or `{python} -m bot` for the bot; README.md says how .venv is made."
    )


def _fail(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return _BAD_SETTINGS


if __name__ == "__main__":
    raise SystemExit(main())
