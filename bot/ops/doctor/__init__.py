"""`python -m bot doctor`: checks everything that a start needs; it starts and changes nothing."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import URL

from bot import __version__, logs
from bot.config import Config, describe_url, read_database_url
from bot.environment import (
    ENV_FILE,
    SECRETS,
    ConfigError,
    read_environment,
    unknown_settings,
)
from bot.exits import WRONG_SETTING
from bot.ops.backups import BACKUPS, newest_backup
from bot.ops.doctor.database import check_database
from bot.ops.doctor.discord_api import check_discord
from bot.ops.doctor.findings import Finding, length_of, look, wrong
from bot.ops.heartbeat import find_problem

_MAX_COPY_AGE = timedelta(days=2)


def diagnose(*, as_json: bool = False) -> int:
    """Print what is found; return the exit code: that of a start, or 0 if it would go on."""
    secrets: list[str] = []
    try:
        environment = read_environment()
        config = Config.from_env(environment)
    except ConfigError as error:
        logs.set_up(logging.CRITICAL, "text", secrets)
        findings = asyncio.run(_check_without_settings(error))
    else:
        secrets = config.secrets()
        logs.set_up(logging.CRITICAL, "text", secrets)
        findings = asyncio.run(_check(config, environment))
    mask = logs.masker(secrets)
    exit_code = max(finding.exit_code for finding in findings)
    if as_json:
        checks = [
            {"check": each.check, "state": each.state, "message": mask(each.sentence)}
            for each in findings
        ]
        print(json.dumps({"exit_code": exit_code, "checks": checks}, indent=2, ensure_ascii=False))
    else:
        for each in findings:
            print(f"{each.state:6}{each.check:10}{mask(each.sentence)}")
    return exit_code


async def _check_without_settings(error: ConfigError) -> list[Finding]:
    """What is wrong with the settings, and what can be checked all the same."""
    findings = [wrong("settings", line, WRONG_SETTING) for line in str(error).splitlines()]
    if not ENV_FILE.exists():
        findings.append(look("settings", f"There is no {ENV_FILE.absolute()}."))
    with suppress(ConfigError):
        findings += [look("settings", line) for line in unknown_settings(Config.names())]
        findings += await check_database(read_database_url())
    return [*findings, _copies()]


async def _check(config: Config, environment: Mapping[str, str | None]) -> list[Finding]:
    database, of_discord = await asyncio.gather(
        check_database(config.database_url), check_discord(config)
    )
    findings = [_settings(config, environment)]
    findings += [look("settings", sentence) for sentence in config.warnings(environment)]
    return [*findings, _heartbeat(config.heartbeat_file), *database, _copies(), *of_discord]


def _settings(config: Config, environment: Mapping[str, str | None]) -> Finding:
    """Where the settings come from, and those that are not as by default."""
    file = ENV_FILE.absolute()
    source = f"From {file} and" if ENV_FILE.exists() else f"There is no {file}; from"
    changed = [
        f"{each.name.upper()}={_shown(each.name, getattr(config, each.name))}"
        for each in fields(config)
        if (environment.get(each.name.upper()) or "").strip()
    ]
    sentence = f"Velha {__version__}. {source} the environment: {', '.join(changed)}."
    return Finding("settings", f"{sentence} All others have their defaults.")


def _shown(name: str, value: Any) -> str:
    if isinstance(value, URL):
        return describe_url(value)
    if name.upper() in SECRETS:
        return "***"
    return logging.getLevelName(value) if name == "log_level" else str(value)


def _heartbeat(file: Path) -> Finding:
    if problem := find_problem(file):
        return look("bot", f"{problem[0].upper()}{problem[1:]}.")
    return Finding("bot", "It runs here, and is well.")


def _copies() -> Finding:
    try:
        newest = newest_backup()
    except OSError as error:
        return look("copies", f"{error.filename} cannot be read: {error.strerror}")
    folder = BACKUPS.absolute()
    if newest is None:
        return look("copies", f"There are none in {folder}: run `backup` every day.")
    age = datetime.now(UTC) - newest
    sentence = f"The newest in {folder} is {length_of(age)} old"
    if age > _MAX_COPY_AGE:
        return look("copies", f"{sentence}: run `backup` every day.")
    return Finding("copies", f"{sentence}.")
