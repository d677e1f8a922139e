"""A folder of learners' programs: a league of all against all, and what is right in each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import combinations, product
from statistics import fmean

from engine.board import Board, Mark
from engine.check.finding import Finding, FindingError, FindingKind
from engine.check.report import FunctionReport, Judgement
from engine.levels import Level, move_odds
from engine.terminal.check_texts import CheckTexts
from engine.terminal.contest import Game, Program, failure_lines, games
from engine.terminal.drawing import columns, show_status, table_row
from engine.terminal.language import N_, Language

_GUESTS = (Level.CHILD, Level.EASY)
_GAMES_OF_GUESTS = 1000


# Translators, from here on: said in a terminal of the programs of a class, or of friends.
def print_league(programs: Sequence[Program], language: Language) -> None:
    """Let all play all, and print a table, the best first, and why games were lost by failing.

    First each is asked about every board that it can meet, and so plays the guests, whose wins
    tell apart those that cannot lose. One that never moves, or hangs, is left out there.
    """
    wins = _print_wins_against_guests(programs, language)
    played = list(_games_of_all([program for program in programs if program.name in wins]))
    _print_results(programs, wins, played, language)
    if notes := [*failure_lines(played, language)]:
        print("", *notes, sep="\n")


def _print_wins_against_guests(
    programs: Sequence[Program], language: Language
) -> dict[str, list[int]]:
    """Print, row by row, how many games each program wins against each guest; return these wins.

    Programs that are left out have none.
    """
    say = language.say
    # Translators: {guests} are names of levels, {n} is 1,000.
    sentence = N_("How many of {n} games each would win against {guests}:")
    guests = [guest.name.lower() for guest in _GUESTS]
    print(say(sentence, n=language.number(_GAMES_OF_GUESTS), guests=language.items(guests)) + "\n")
    # Translators: the head of a table; the names of programs stand below "program".
    head = say(N_("program"))
    widths = [_width_of_names(programs, head), 7, 7]
    print(table_row([head, *guests], widths), flush=True)
    wins: dict[str, list[int]] = {}
    for program in programs:
        show_status(program.name)
        with closing(program):
            try:
                wins[program.name] = _wins_against_guests(program)
            except FindingError as error:
                show_status("")
                reason = _message(program, error.finding, language)
                # Translators: {reason} is a sentence on the program in {file}.
                print(say(N_("{file} is left out. {reason}"), file=program.name, reason=reason))
                continue
        show_status("")
        print(table_row([program.name, *map(str, wins[program.name])], widths), flush=True)
    return wins


def _print_results(
    programs: Sequence[Program],
    wins: Mapping[str, Sequence[int]],
    played: Sequence[tuple[Program, Program, Game]],
    language: Language,
) -> None:
    """Print how many games each program won, drew and lost, the best first."""
    say = language.say
    results: dict[str, Counter[int]] = {name: Counter() for name in wins}
    for first, second, game in played:
        results[first.name][game.result] += 1
        results[second.name][-game.result] += 1
    print("\n" + say(N_("All play all, and both begin once on each of the nine squares.")))
    print(say(N_("Between equals, the wins above decide.")) + "\n")
    # Translators: the head of a table; the names of programs stand below "program".
    head, *heads = say(N_("program")), say(N_("won")), say(N_("drawn")), say(N_("lost"))
    widths = [_width_of_names(programs, head), *(max(7, columns(each) + 2) for each in heads)]
    print(table_row([head, *heads], widths))

    def rank(name: str) -> tuple[int, int, str]:
        return results[name][-1] - results[name][1], -sum(wins[name]), name

    for name in sorted(wins, key=rank):
        print(table_row([name, *(str(results[name][result]) for result in (1, 0, -1))], widths))


def _width_of_names(programs: Sequence[Program], head: str) -> int:
    """The width of their column, for `table_row`: it aligns to the left."""
    return -max(map(columns, [head, *(program.name for program in programs)]))


def _message(program: Program, finding: Finding, language: Language) -> str:
    return program.texts(language).message("minimax" if finding.board else "", finding)


def _wins_against_guests(program: Program) -> list[int]:
    """How many games the program wins against each guest, by the odds of the guest's moves.

    Raises:
        FindingError: It hangs, or fails on each board that it may be asked about first.
    """
    openings = [Board.after([cell]) for cell in Board().actions()]
    failures = [failure for board in openings if (failure := _failure(program, board))]
    if len(failures) == len(openings):
        raise FindingError(failures[0])
    return [
        round(_GAMES_OF_GUESTS * fmean(_chances_to_win(program, guest, openings)))
        for guest in _GUESTS
    ]


def _failure(program: Program, board: Board) -> Finding | None:
    """Why the program gives no move.

    Raises:
        FindingError: It hangs.
    """
    try:
        program.choose(board)
    except FindingError as error:
        if error.finding.kind is FindingKind.HANGS:
            raise
        return error.finding
    return None


def _chances_to_win(program: Program, guest: Level, openings: Sequence[Board]) -> Iterator[float]:
    """The program's chances to win as X and as O, from each opening."""

    def chance(board: Board, mark: Mark) -> float:
        if board.is_terminal:
            return float(board.winner is mark)
        if board.to_move is mark:
            if _failure(program, board):
                return 0
            return chance(board.result(program.choose(board)), mark)
        odds = move_odds(board, guest)
        return sum(odds[cell] * chance(board.result(cell), mark) for cell in odds)

    for board, mark in product(openings, Mark):
        yield chance(board, mark)


def _games_of_all(programs: Sequence[Program]) -> Iterator[tuple[Program, Program, Game]]:
    """The games of each program against each other one; they know all their moves."""
    for first, second in combinations(programs, 2):
        for game in games(first, second, None):
            yield first, second, game


def print_grades(judged: Mapping[str, tuple[Iterable[FunctionReport], CheckTexts]]) -> None:
    """Print for each program, as it is judged, how many functions are right, and which.

    Below it stands what is wrong first, or why not all was judged.
    """
    width = -max(map(columns, judged))
    for name, (coming, texts) in judged.items():
        reports = list(coming)
        right = [each.name for each in reports if each.name and each.judgement is Judgement.RIGHT]
        line = table_row([name, str(len(right))], [width, 4])
        listed = texts.language.items(right) if right else ""
        print(f"{line}   {listed}".rstrip(), flush=True)
        if first := next(filter(None, map(texts.first_fault, reports)), ""):
            print(f"    {first}", flush=True)
