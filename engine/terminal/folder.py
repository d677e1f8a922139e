"""A folder of learners' programs: a league of all against all, and what is right in each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from itertools import combinations
from pathlib import Path

from engine.check.learner import TimeLimits
from engine.check.report import FunctionReport, Judgement
from engine.terminal.contest import Game, Program, failure_lines, games
from engine.terminal.drawing import columns, show_status, table_row
from engine.terminal.language import N_, Language


# Translators, from here on: said in a terminal of the programs of a class, or of friends.
def print_league(programs: Mapping[str, Path], limits: TimeLimits, language: Language) -> None:
    """Let all play all, and print a table, the best first, and why games were lost by failing."""
    say = language.say
    results: dict[str, Counter[int]] = {name: Counter() for name in programs}
    played: list[tuple[Program, Program, Game]] = []
    players = {name: Program(path, limits, name) for name, path in programs.items()}
    for pair in combinations(players, 2):
        show_status(" - ".join(pair))
        first, second = (players[name] for name in pair)
        with closing(first), closing(second):
            for game in games(first, second, None):
                played.append((first, second, game))
                results[pair[0]][game.result] += 1
                results[pair[1]][-game.result] += 1
    show_status("")
    print(say(N_("All play all, and both begin once on each of the nine squares.")) + "\n")
    # Translators: the head of a table; the names of programs stand below "program".
    heads = [say(N_("program")), say(N_("won")), say(N_("drawn")), say(N_("lost"))]
    widths = [
        -max(map(columns, [heads[0], *programs])),
        *(max(7, columns(h) + 2) for h in heads[1:]),
    ]
    print(table_row(heads, widths))
    for name in sorted(programs, key=lambda name: (results[name][-1] - results[name][1], name)):
        print(table_row([name, *(str(results[name][result]) for result in (1, 0, -1))], widths))
    if notes := [*failure_lines(played, language)]:
        print("", *notes, sep="\n")


Judge = Callable[[Path], Iterable[FunctionReport]]


def print_grades(programs: Mapping[str, Path], judge: Judge, language: Language) -> None:
    """Print for each program, as it is judged, how many functions are right, and which."""
    width = -max(map(columns, programs))
    for name, path in programs.items():
        right = [
            each.name for each in judge(path) if each.name and each.judgement is Judgement.RIGHT
        ]
        line = table_row([name, str(len(right))], [width, 4])
        print(f"{line}   {language.items(right) if right else ''}".rstrip(), flush=True)
