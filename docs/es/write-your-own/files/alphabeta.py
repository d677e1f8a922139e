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
        for linea in LINES:
            marcas = {self.matriz[i][j] for i, j in linea}
            if len(marcas) == 1 and marcas != {"."}:
                return marcas.pop()
        return None

    @property
    def termino(self):
        return self.winner is not None or not any("." in fila for fila in self.matriz)

    @property
    def puntos(self):
        return {"X": 1, "O": -1, None: 0}[self.winner]

    def sucesores(self):
        otro = cambiar_jugador(self.player)
        for i, fila in enumerate(self.matriz):
            for j, marca in enumerate(fila):
                if marca == ".":
                    marcada = (*fila[:j], self.player, *fila[j + 1 :])
                    yield Estado((*self.matriz[:i], marcada, *self.matriz[i + 1 :]), otro)


def cambiar_jugador(player):
    return "O" if player == "X" else "X"


def max_value(estado, alpha=-math.inf, beta=math.inf):
    """Lo que vale un estado en el que le toca a X, y su mejor sucesor."""
    if estado.termino:
        return estado.puntos, None
    mejor, mejor_despues = -math.inf, None
    for despues in estado.sucesores():
        puntos, _ = min_value(despues, alpha, beta)
        if puntos > mejor:
            mejor, mejor_despues = puntos, despues
        alpha = max(alpha, mejor)
        if alpha >= beta:
            break
    return mejor, mejor_despues


def min_value(estado, alpha=-math.inf, beta=math.inf):
    """Lo que vale un estado en el que le toca a O, y su mejor sucesor."""
    if estado.termino:
        return estado.puntos, None
    mejor, mejor_despues = math.inf, None
    for despues in estado.sucesores():
        puntos, _ = max_value(despues, alpha, beta)
        if puntos < mejor:
            mejor, mejor_despues = puntos, despues
        beta = min(beta, mejor)
        if alpha >= beta:
            break
    return mejor, mejor_despues


def valor(estado):
    return max_value(estado) if estado.player == "X" else min_value(estado)


def mostrar(estado):
    for fila in estado.matriz:
        print(" | ".join(fila))
    print()


def jugar(estado):
    print("El tablero al principio:")
    mostrar(estado)
    while not estado.termino:
        print(f"Después de la jugada de {estado.player}:")
        _, estado = valor(estado)
        mostrar(estado)
    print(f"Gana {estado.winner}" if estado.winner else "Empate")


if __name__ == "__main__":
    jugar(Estado())
