"""A game's code: short, forgiving to type, and read for ever or refused."""

from __future__ import annotations

import random
from itertools import combinations, permutations, product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine import INFINITE, MISERE, TIC_TAC_TOE, Board, Cell, IllegalMoveError, Record, Rules

ALL_RULES = [
    Rules(columns, rows, in_a_row)
    for columns, rows, in_a_row in product((3, 4, 5), repeat=3)
    if in_a_row <= max(columns, rows)
]
SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
UNFINISHED = Record(TIC_TAC_TOE, (0, 4, 8, 2, 6, 3, 5))
WON = Record(Rules(4, 3, 3), (5, 6, 2, 8, 1, 9, 3))
DRAWN = Record(
    Rules(5, 5, 4),
    (12, 18, 3, 21, 8, 0, 9, 19, 13, 7, 24, 23, 22, 11, 4, 2, 6, 20, 5, 10, 1, 14, 15, 16, 17),
)
OF_MISERE = Record(MISERE, (4, 0, 8, 1, 7, 5, 3, 6, 2))
OF_INFINITE = Record(INFINITE, (1, 6, 4, 7, 8, 0, 2, 5, 6, 4, 3, 1, 0))
GOLDEN = {
    "22TWSC7": UNFINISHED,
    "11QVXAPD": WON,
    "1G7K1VSAHSVBHC540W2": DRAWN,
    "6Y6PAMC": OF_MISERE,
    "1CRXHTW1V": OF_INFINITE,
}


def random_game(rules: Rules, seed: int, most_moves: int) -> Record:
    rng, board = random.Random(seed), Board(rules)
    moves: list[Cell] = []
    while board.actions() and len(moves) < most_moves:
        moves.append(rng.choice(board.actions()))
        board = board.result(moves[-1])
    return Record(rules, tuple(moves))


def code_of_number(number: int) -> str:
    """The code that says so, whether or not there is such a game; written apart on purpose."""
    number *= 97
    symbols = ""
    while number:
        symbols = SYMBOLS[number % 32] + symbols
        number //= 32
    return symbols


def is_refused(code: str) -> bool:
    try:
        Record.read(code)
    except ValueError:
        return True
    return False


@pytest.mark.parametrize("rules", ALL_RULES)
def test_every_game_is_decoded_from_its_own_code(rules: Rules) -> None:
    for seed, most_moves in enumerate((0, 1, 2, 4, 7, 12, 25)):
        game = random_game(rules, seed, most_moves)
        assert Record.read(game.code) == game
        assert set(game.code) <= set(SYMBOLS)
        assert len(game.code) <= 20


@pytest.mark.parametrize(("code", "game"), GOLDEN.items())
def test_old_codes_stay_readable(code: str, game: Record) -> None:
    assert Record.read(code) == game
    assert game.code == code


def test_every_symbol_of_the_code_keeps_its_meaning() -> None:
    """Two moves: 3x3 is 0 of 27, 2 is the length of 0 to 9, then a choice of 9 and one of 8."""
    symbols: set[str] = set()
    for first, second in permutations(TIC_TAC_TOE.cells, 2):
        choices = first + 9 * (second - (second > first))
        code = code_of_number(27 * (2 + 10 * choices))
        assert Record(moves=(first, second)).code == code
        symbols.update(code)
    assert symbols == set(SYMBOLS)


def test_the_numbers_of_variants_differ_from_those_of_m_n_k_games() -> None:
    """1 is 3x3x4 and 2 is 3x3x5; then comes the length, of 0 to 9 and of 0 to 60."""
    assert Record(MISERE, (4,)).code == code_of_number(1 + 27 * (1 + 10 * 4))
    assert Record(INFINITE, (4,)).code == code_of_number(2 + 27 * (1 + 61 * 4))


@pytest.mark.parametrize("game", GOLDEN.values())
def test_a_code_is_read_in_any_case_with_spaces_hyphens_or_backticks(game: Record) -> None:
    code = game.code
    typed = (
        code.lower(),
        " ".join(code),
        "-".join(code),
        f"  {code[:3]}-{code[3:]} - ",
        f"`{code}`",
        f"```{code}```",
    )
    assert {Record.read(text) for text in typed} == {game}


def test_letters_that_look_like_digits_are_read_as_those() -> None:
    code = DRAWN.code
    assert {"0", "1"} <= set(code)
    for zero, one in product("0Oo", "1IiLl"):
        assert Record.read(code.replace("0", zero).replace("1", one)) == DRAWN


@pytest.mark.parametrize("game", GOLDEN.values())
def test_any_one_mistyped_symbol_is_noticed(game: Record) -> None:
    code = game.code
    for place, symbol in product(range(len(code)), SYMBOLS):
        if symbol != code[place]:
            assert is_refused(code[:place] + symbol + code[place + 1 :])


@pytest.mark.parametrize("game", GOLDEN.values())
def test_any_two_swapped_symbols_are_noticed(game: Record) -> None:
    code = game.code
    for first, second in combinations(range(len(code)), 2):
        swapped = list(code)
        swapped[first], swapped[second] = code[second], code[first]
        assert code[first] == code[second] or is_refused("".join(swapped))


@pytest.mark.parametrize(
    "code",
    [
        "",
        " - - ",
        "\t\n",
        "UUUU",
        "22TWSC7!",
        "22TWSC7\n",
        "\N{ARABIC-INDIC DIGIT TWO}" * 2 + "TWSC7",
        "\N{SUPERSCRIPT TWO}" * 2 + "TWSC7",
        "\N{LATIN SMALL LETTER SHARP S}",
        "\ud800",
        "Z" * 21,
        "Z" * 100_000,
        "0" * 14 + "22TWSC7",
        "0" * 20,
        "00000-22TWSC7",
    ],
)
def test_malformed_codes_are_refused(code: str) -> None:
    assert is_refused(code)


@given(st.text(max_size=24) | st.text(f"{SYMBOLS}abcilo -", max_size=12))
@example("0")
@settings(derandomize=True, max_examples=100)
def test_any_text_is_a_game_or_refused(text: str) -> None:
    try:
        game = Record.read(text)
    except ValueError:
        return
    assert Record.read(game.code) == game


def test_a_number_that_is_no_multiple_of_97_is_refused() -> None:
    for text in ("1", "30"):
        with pytest.raises(ValueError, match="no game has this code"):
            Record.read(text)
    assert Record.read("0") == Record()


def test_rules_with_an_impossible_line_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown game number"):
        Record.read(code_of_number(5))


def test_a_code_with_a_remainder_is_refused() -> None:
    of_one_move = 1 + 10 * 4
    assert Record.read(code_of_number(27 * of_one_move)) == Record(moves=(4,))
    with pytest.raises(ValueError, match="no game has this code"):
        Record.read(code_of_number(27 * (of_one_move + 10 * 9)))


@pytest.mark.parametrize("rules", [TIC_TAC_TOE, MISERE, INFINITE])
def test_moves_that_go_on_after_the_end_are_refused(rules: Rules) -> None:
    line = Record(rules, (0, 3, 1, 4, 2))
    assert Record.read(line.code) == line
    with pytest.raises(IllegalMoveError, match="the game is over"):
        Record.read(Record(rules, (*line.moves, 8)).code)


@pytest.mark.parametrize(("size", "symbols"), [(3, 7), (4, 12), (5, 20)])
def test_the_longest_code_of_a_board_is_as_short_as_promised(size: int, symbols: int) -> None:
    """Each move takes the last free cell, which is the largest number there is."""
    largest = Record(Rules(size, size, size), tuple(reversed(range(size * size))))
    assert len(largest.code) == symbols


def test_the_positions_of_a_game_begin_with_the_empty_board() -> None:
    boards = Record(TIC_TAC_TOE, (0, 4, 8)).boards
    drawn = ("... ... ...", "x.. ... ...", "x.. .o. ...", "x.. .o. ..x")
    assert boards == tuple(Board.parse(drawing) for drawing in drawn)
    assert Record(Rules(5, 4, 4)).boards == (Board(Rules(5, 4, 4)),)


def test_illegal_moves_have_no_positions() -> None:
    for moves in ((0, 0), (9,), (0, 3, 1, 4, 2, 5)):
        with pytest.raises(IllegalMoveError):
            _ = Record(moves=moves).boards
