# alphabeta.py
import math
from dataclasses import dataclass

LINES = [
    *[[(i, j) for j in range(3)] for i in range(3)],
    *[[(i, j) for i in range(3)] for j in range(3)],
    [(i, i) for i in range(3)],
    [(i, 2 - i) for i in range(3)],
]


@dataclass(frozen=True)
class State:
    matrix: tuple = ((".",) * 3,) * 3
    player: str = "X"

    @property
    def winner(self):
        for line in LINES:
            marks = {self.matrix[i][j] for i, j in line}
            if len(marks) == 1 and marks != {"."}:
                return marks.pop()
        return None

    @property
    def is_over(self):
        return self.winner is not None or not any("." in row for row in self.matrix)

    @property
    def points(self):
        return {"X": 1, "O": -1, None: 0}[self.winner]

    def successors(self):
        other = switch_player(self.player)
        for i, row in enumerate(self.matrix):
            for j, mark in enumerate(row):
                if mark == ".":
                    marked = (*row[:j], self.player, *row[j + 1 :])
                    yield State((*self.matrix[:i], marked, *self.matrix[i + 1 :]), other)


def switch_player(player):
    return "O" if player == "X" else "X"


def max_value(state, alpha=-math.inf, beta=math.inf):
    """What a state is worth where X is to move, and its best successor."""
    if state.is_over:
        return state.points, None
    best, best_after = -math.inf, None
    for after in state.successors():
        points, _ = min_value(after, alpha, beta)
        if points > best:
            best, best_after = points, after
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, best_after


def min_value(state, alpha=-math.inf, beta=math.inf):
    """What a state is worth where O is to move, and its best successor."""
    if state.is_over:
        return state.points, None
    best, best_after = math.inf, None
    for after in state.successors():
        points, _ = max_value(after, alpha, beta)
        if points < best:
            best, best_after = points, after
        beta = min(beta, best)
        if alpha >= beta:
            break
    return best, best_after


def value(state):
    return max_value(state) if state.player == "X" else min_value(state)


def show(state):
    for row in state.matrix:
        print(" | ".join(row))
    print()


def play(state):
    print("The board at first:")
    show(state)
    while not state.is_over:
        print(f"After {state.player}'s move:")
        _, state = value(state)
        show(state)
    print(f"{state.winner} wins" if state.winner else "Draw")


if __name__ == "__main__":
    play(State())
