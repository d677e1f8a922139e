"""Secrets are masked in whatever is logged."""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime
from io import StringIO

import pytest

from bot.logs import MaskingFormatter, set_up


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


LINE = r"\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] \[WARNING \] bot\.test: with \*\*\*\n"
COLOURED = r"\x1b\[[^\n]*WARNING [^\n]*bot\.test[^\n]* with \*\*\*\n"


@pytest.mark.usefixtures("restored_logging")
@pytest.mark.parametrize(
    ("stream", "log_format", "written"),
    [
        (StringIO(), "text", LINE),
        (StringIO(), "", LINE),
        (Terminal(), "text", COLOURED),
        (StringIO(), "json", r"\{[^\n]*\}\n"),
        (Terminal(), "json", r"\{[^\n]*\}\n"),
    ],
)
def test_lines_are_text_coloured_text_or_json(
    stream: StringIO, log_format: str, written: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr", stream)
    set_up(logging.INFO, log_format, ["the-p@ssword"])
    logger = logging.getLogger("bot.test")
    logger.debug("not from INFO up")
    logging.getLogger("discord.state").warning("of each start")
    logging.getLogger("alembic").info("of each start")
    logger.warning("with %s", "the-p@ssword")
    assert re.fullmatch(written, stream.getvalue())


@pytest.mark.usefixtures("restored_logging")
def test_a_line_of_json_has_the_time_in_utc_and_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    set_up(logging.INFO, "json", [])
    before = datetime.now(UTC)
    logging.getLogger("bot.test").warning("failed", exc_info=ValueError("why"))
    event = json.loads(stream.getvalue())
    assert list(event) == ["time", "level", "logger", "message", "error"]
    assert (event["level"], event["logger"]) == ("WARNING", "bot.test")
    assert (event["message"], event["error"]) == ("failed", "ValueError: why")
    logged_at = datetime.strptime(event["time"], "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
    assert before.replace(microsecond=0) <= logged_at <= datetime.now(UTC)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (
            "POST /api/v10/interactions/12/aW5.x-_/callback took",
            "POST /api/v10/interactions/12/***/callback took",
        ),
        (
            "PATCH https://discord.com/api/v10/webhooks/12/aW5/messages/@original?wait=1",
            "PATCH https://discord.com/api/v10/webhooks/12/***/messages/@original?wait=1",
        ),
        ("{'id': '12', 'token': 'aW5', 'type': 3}", "{'id': '12', 'token': '***', 'type': 3}"),
        ('{"token":"aW5","type":3}', '{"token":"***","type":3}'),
        ("bound to 12+aW50ZXJhY3Rpb246MTIzNDU2Nzg5 now", "bound to 12+*** now"),
        ("a p@s/s word, p%40s%2Fs%20word or p%40s%2Fs+word", "a ***, *** or ***"),
        (r'{"message": "{\"token\":\"aW5\"}"}', r'{"message": "{\"token\":\"***\"}"}'),
        (r"in JSON a \"quoted\" p\u00e3ssword", "in JSON a ***"),
        ("Ready: with a bat at 1:a", "Ready: with a bat at 1:a"),
        ("to postgresql://a:a@a/a?password=a&a=a", "to postgresql://a:***@a/a?password=***&a=a"),
        ("postgresql://velha:an@other secret", "postgresql://velha:***@other secret"),
        ("password='a' host=a", "password='***' host=a"),
        ("Metrics are at http://127.0.0.1:9464/metrics.",) * 2,
        (
            "PUT /api/v10/applications/12/commands took",
            "PUT /api/v10/applications/12/commands took",
        ),
    ],
)
def test_only_the_secrets_are_masked(text: str, written: str) -> None:
    record = logging.LogRecord("discord", logging.WARNING, "", 0, "%s", (text,), None)
    assert (
        MaskingFormatter(logging.Formatter(), ["p@s/s word", '"quoted" pãssword', "a", ""]).format(
            record
        )
        == written
    )


def test_a_secret_that_begins_with_another_is_masked_whole() -> None:
    record = logging.LogRecord("discord", logging.WARNING, "", 0, "my-s3cret-and-more", (), None)
    formatter = MaskingFormatter(logging.Formatter(), ["my-s3cret", "my-s3cret-and-more"])
    assert formatter.format(record) == "***"


def test_secrets_in_tracebacks_are_masked() -> None:
    error = ConnectionError("POST /interactions/12/aW5/callback with the-p@ssword")
    failed = (ConnectionError, error, None)
    record = logging.LogRecord("discord", logging.ERROR, "", 0, "", (), failed)
    written = MaskingFormatter(logging.Formatter(), ["the-p@ssword"]).format(record)
    assert written.endswith("ConnectionError: POST /interactions/12/***/callback with ***")
