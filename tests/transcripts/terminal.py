"""Transcripts of `python3 -m engine`, as a terminal shows it."""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from bot.views.i18n import Language, language_for
from engine.__main__ import main
from engine.terminal.game_texts import GameTexts
from engine.terminal.language import language_named
from tests.transcripts.transcript import Screen, Transcript


class Terminal(Transcript):
    """The output of commands, with the lines that a person types, and exit codes other than 0."""

    unfilled = re.compile(r"{\w+}")  # None may be what a learner's function returns

    def _check_languages(self, draw: Callable[[Language], Screen]) -> None:
        """Do not check the limits of Discord, nor the languages of the bot."""

    def run(self, options: str, *typed: str) -> None:
        """Add the output of a command in both languages, side by side."""
        self.show(_command(options), lambda language: _run(options, *typed, language=language))

    def run_wide(self, options: str, *typed: str) -> None:
        """Add the output of a command in English, and below it in Portuguese."""
        self.write("", f"# {_command(options)}")
        for code in ("en", "pt-BR"):
            self.write("", *_run(options, *typed, language=language_for(code)))


def shown(run: Callable[[], int | None], *typed: str, language: Language) -> list[str]:
    """Run a function, with lines that a person types; return the lines on the screen."""
    screen = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LANGUAGE", language.code)
        patch.setenv("COLUMNS", "80")
        patch.setenv("NO_COLOR", "1")  # from Python 3.14 on, FORCE_COLOR would colour the help
        patch.setattr("sys.stdin", _Keyboard(typed, screen))
        patch.setattr("sys.stdout", screen)
        patch.setattr("sys.stderr", screen)
        try:
            code: object = run()
        except SystemExit as error:
            code = error.code
    lines = screen.getvalue().strip("\n").split("\n")
    return [*lines, f"[exit code {code}]"] if code else lines


def words(language: Language) -> GameTexts:
    """The terminal's sentences in a language of the bot."""
    terminal_language = language_named(language.code)
    assert terminal_language is not None
    return GameTexts(terminal_language)


class _Keyboard(io.StringIO):
    """Standard input that shows its lines on the screen when they are read."""

    def __init__(self, lines: Iterable[str], screen: io.StringIO) -> None:
        super().__init__("".join(f"{line}\n" for line in lines))
        self._screen = screen

    def readline(self, *size: Any) -> Any:
        line = super().readline(*size)
        self._screen.write(line)
        return line


def _command(options: str) -> str:
    return f"python3 -m engine {options}".rstrip()


def _run(options: str, *typed: str, language: Language) -> list[str]:
    return shown(lambda: main(shlex.split(options)), *typed, language=language)
