"""The alert rules ask for metrics, labels and values that there are."""

from __future__ import annotations

import re
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families
from promql_parser import Expr, MatchOp, VectorSelector, parse, walk

from bot.ops.health import Health
from bot.ops.metrics import Metrics
from tests.bot.processes import ROOT
from tests.bot.simulated_guild import SimulatedGuild

RULES = (ROOT / "deploy" / "alerts.yml").read_text(encoding="utf-8")
EXPRESSIONS = re.findall(r"^ +expr: (.+)$", RULES, re.MULTILINE)
BY_PROMETHEUS = {"instance", "job"}
"""The labels that Prometheus adds."""
UP = "up"
"""Its own series: 1 for each bot whose metrics it could read, else 0."""


def test_each_rule_has_an_expression_and_says_what_it_means() -> None:
    assert len(EXPRESSIONS) == RULES.count("- alert: ") == RULES.count("summary: ") > 10
    assert len(re.findall("labels: { severity: (critical|warning) }", RULES)) == len(EXPRESSIONS)


async def test_the_expressions_select_series_that_a_bot_has(
    guild: SimulatedGuild, here: Path
) -> None:
    (here / "backups").mkdir()
    (here / "backups" / "velha-20261127-050000.db").touch()
    bot = guild.bots[-1]
    text = (await Metrics(bot, Health(bot)).render()).decode()
    samples = [
        sample for family in text_string_to_metric_families(text) for sample in family.samples
    ]
    all_labels = {label for sample in samples for label in sample.labels} | BY_PROMETHEUS
    for expression in EXPRESSIONS:
        for selector in selectors(parse(expression)):
            if selector.name == UP:
                continue
            of_name = [sample for sample in samples if sample.name == selector.name]
            assert of_name, selector.name
            for matcher in selector.matchers.matchers:
                values = {sample.labels[matcher.name] for sample in of_name}
                is_pattern = matcher.op == MatchOp.Re
                wanted = matcher.value.split("|") if is_pattern else [matcher.value]
                assert set(wanted) <= values, expression
        for named in re.findall(r"(?:by|on) \(([^)]+)\)", expression):
            assert set(named.split(", ")) <= all_labels, expression


def selectors(expression: Expr) -> list[VectorSelector]:
    found = list[VectorSelector]()

    def see(part: Expr) -> bool:
        if isinstance(part, VectorSelector):
            found.append(part)
        return True

    walk(expression, see)
    return found
