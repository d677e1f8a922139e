# any_game.py
from collections.abc import Callable
from typing import Any, Literal, Optional

Player = Literal[1, -1]
Estado = tuple[Any, Player]
Branch = Callable[[Estado], list[Estado]]
Evaluate = Callable[[Estado], int]


def max_value(estado: Estado, branch: Branch, evaluate: Evaluate) -> int:
    depois = branch(estado)
    if not depois:
        return evaluate(estado)
    return max(min_value(s, branch, evaluate) for s in depois)


def min_value(estado: Estado, branch: Branch, evaluate: Evaluate) -> int:
    depois = branch(estado)
    if not depois:
        return evaluate(estado)
    return min(max_value(s, branch, evaluate) for s in depois)


def best_state(estado: Estado, branch: Branch, evaluate: Evaluate) -> Estado:
    if estado[1] == 1:
        return max(branch(estado), key=lambda s: min_value(s, branch, evaluate))
    return min(branch(estado), key=lambda s: max_value(s, branch, evaluate))


Board = list[list[int]]


def winner(board: Board) -> Optional[int]:
    tamanho = len(board)
    primeira = [board[i][i] for i in range(tamanho)]
    segunda = [board[i][tamanho - 1 - i] for i in range(tamanho)]
    somas = [sum(trio) for trio in [*board, *zip(*board), primeira, segunda]]
    if tamanho in somas:
        return 1
    if -tamanho in somas:
        return -1
    return None if any(0 in linha for linha in board) else 0


def evaluate(estado: Estado) -> int:
    valor = winner(estado[0])
    if valor is None:
        raise ValueError("o jogo não acabou")
    return valor


def branch(estado: Estado) -> list[Estado]:
    board, player = estado
    if winner(board) is not None:
        return []
    estados: list[Estado] = []
    for i, linha in enumerate(board):
        for j, marca in enumerate(linha):
            if marca == 0:
                depois = [linha.copy() for linha in board]
                depois[i][j] = player
                estados.append((depois, -1 if player == 1 else 1))
    return estados


def jogar() -> None:
    nomes = {1: "X", -1: "O", 0: " "}
    estado: Estado = ([[0] * 3 for _ in range(3)], 1)
    while branch(estado):
        estado = best_state(estado, branch, evaluate)
        for linha in estado[0]:
            print([nomes[cell] for cell in linha])
        print("-" * 15)


if __name__ == "__main__":
    jogar()
