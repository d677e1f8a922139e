# any_game.py
from collections.abc import Callable
from typing import Any, Literal, Optional

Player = Literal[1, -1]
Estado = tuple[Any, Player]
Branch = Callable[[Estado], list[Estado]]
Evaluate = Callable[[Estado], int]


def max_value(estado: Estado, branch: Branch, evaluate: Evaluate) -> int:
    despues = branch(estado)
    if not despues:
        return evaluate(estado)
    return max(min_value(s, branch, evaluate) for s in despues)


def min_value(estado: Estado, branch: Branch, evaluate: Evaluate) -> int:
    despues = branch(estado)
    if not despues:
        return evaluate(estado)
    return min(max_value(s, branch, evaluate) for s in despues)


def best_state(estado: Estado, branch: Branch, evaluate: Evaluate) -> Estado:
    if estado[1] == 1:
        return max(branch(estado), key=lambda s: min_value(s, branch, evaluate))
    return min(branch(estado), key=lambda s: max_value(s, branch, evaluate))


Board = list[list[int]]


def winner(board: Board) -> Optional[int]:
    tamano = len(board)
    primera = [board[i][i] for i in range(tamano)]
    segunda = [board[i][tamano - 1 - i] for i in range(tamano)]
    sumas = [sum(linea) for linea in [*board, *zip(*board), primera, segunda]]
    if tamano in sumas:
        return 1
    if -tamano in sumas:
        return -1
    return None if any(0 in fila for fila in board) else 0


def evaluate(estado: Estado) -> int:
    valor = winner(estado[0])
    if valor is None:
        raise ValueError("la partida no ha terminado")
    return valor


def branch(estado: Estado) -> list[Estado]:
    board, player = estado
    if winner(board) is not None:
        return []
    estados: list[Estado] = []
    for i, fila in enumerate(board):
        for j, marca in enumerate(fila):
            if marca == 0:
                despues = [fila.copy() for fila in board]
                despues[i][j] = player
                estados.append((despues, -1 if player == 1 else 1))
    return estados


def jugar() -> None:
    nombres = {1: "X", -1: "O", 0: " "}
    estado: Estado = ([[0] * 3 for _ in range(3)], 1)
    while branch(estado):
        estado = best_state(estado, branch, evaluate)
        for fila in estado[0]:
            print([nombres[cell] for cell in fila])
        print("-" * 15)


if __name__ == "__main__":
    jugar()
