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
class Estado:
    matriz: tuple = ((".",) * 3,) * 3
    player: str = "X"

    @property
    def winner(self):
        for trio in LINES:
            marcas = {self.matriz[i][j] for i, j in trio}
            if len(marcas) == 1 and marcas != {"."}:
                return marcas.pop()
        return None

    @property
    def terminou(self):
        return self.winner is not None or not any("." in linha for linha in self.matriz)

    @property
    def pontos(self):
        return {"X": 1, "O": -1, None: 0}[self.winner]

    def sucessores(self):
        outro = trocar_jogador(self.player)
        for i, linha in enumerate(self.matriz):
            for j, marca in enumerate(linha):
                if marca == ".":
                    marcada = (*linha[:j], self.player, *linha[j + 1 :])
                    yield Estado((*self.matriz[:i], marcada, *self.matriz[i + 1 :]), outro)


def trocar_jogador(player):
    return "O" if player == "X" else "X"


def max_value(estado, alpha=-math.inf, beta=math.inf):
    """Quanto vale um estado em que joga X, e seu melhor sucessor."""
    if estado.terminou:
        return estado.pontos, None
    melhor, melhor_depois = -math.inf, None
    for depois in estado.sucessores():
        pontos, _ = min_value(depois, alpha, beta)
        if pontos > melhor:
            melhor, melhor_depois = pontos, depois
        alpha = max(alpha, melhor)
        if alpha >= beta:
            break
    return melhor, melhor_depois


def min_value(estado, alpha=-math.inf, beta=math.inf):
    """Quanto vale um estado em que joga O, e seu melhor sucessor."""
    if estado.terminou:
        return estado.pontos, None
    melhor, melhor_depois = math.inf, None
    for depois in estado.sucessores():
        pontos, _ = max_value(depois, alpha, beta)
        if pontos < melhor:
            melhor, melhor_depois = pontos, depois
        beta = min(beta, melhor)
        if alpha >= beta:
            break
    return melhor, melhor_depois


def valor(estado):
    return max_value(estado) if estado.player == "X" else min_value(estado)


def mostrar(estado):
    for linha in estado.matriz:
        print(" | ".join(linha))
    print()


def jogar(estado):
    print("O tabuleiro no começo:")
    mostrar(estado)
    while not estado.terminou:
        print(f"Depois da jogada de {estado.player}:")
        _, estado = valor(estado)
        mostrar(estado)
    print(f"{estado.winner} venceu" if estado.winner else "Empate")


if __name__ == "__main__":
    jogar(Estado())
