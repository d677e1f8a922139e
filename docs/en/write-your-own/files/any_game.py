# any_game.py
from collections.abc import Callable
from typing import Any, Literal, Optional

Player = Literal[1, -1]
State = tuple[Any, Player]
Branch = Callable[[State], list[State]]
Evaluate = Callable[[State], int]


def max_value(state: State, branch: Branch, evaluate: Evaluate) -> int:
    after = branch(state)
    if not after:
        return evaluate(state)
    return max(min_value(s, branch, evaluate) for s in after)


def min_value(state: State, branch: Branch, evaluate: Evaluate) -> int:
    after = branch(state)
    if not after:
        return evaluate(state)
    return min(max_value(s, branch, evaluate) for s in after)


def best_state(state: State, branch: Branch, evaluate: Evaluate) -> State:
    if state[1] == 1:
        return max(branch(state), key=lambda s: min_value(s, branch, evaluate))
    return min(branch(state), key=lambda s: max_value(s, branch, evaluate))


Board = list[list[int]]


def winner(board: Board) -> Optional[int]:
    size = len(board)
    first = [board[i][i] for i in range(size)]
    second = [board[i][size - 1 - i] for i in range(size)]
    sums = [sum(line) for line in [*board, *zip(*board), first, second]]
    if size in sums:
        return 1
    if -size in sums:
        return -1
    return None if any(0 in row for row in board) else 0


def evaluate(state: State) -> int:
    value = winner(state[0])
    if value is None:
        raise ValueError("the game isn't over")
    return value


def branch(state: State) -> list[State]:
    board, player = state
    if winner(board) is not None:
        return []
    states: list[State] = []
    for i, row in enumerate(board):
        for j, mark in enumerate(row):
            if mark == 0:
                after = [row.copy() for row in board]
                after[i][j] = player
                states.append((after, -1 if player == 1 else 1))
    return states


def play() -> None:
    names = {1: "X", -1: "O", 0: " "}
    state: State = ([[0] * 3 for _ in range(3)], 1)
    while branch(state):
        state = best_state(state, branch, evaluate)
        for row in state[0]:
            print([names[cell] for cell in row])
        print("-" * 15)


if __name__ == "__main__":
    play()
