# finished.py
import math
from copy import deepcopy

X = "X"
O = "O"
EMPTY = None


def initial_state():
    """O tabuleiro vazio."""
    return [[EMPTY, EMPTY, EMPTY], [EMPTY, EMPTY, EMPTY], [EMPTY, EMPTY, EMPTY]]


def player(board):
    """De quem é a vez, X ou O."""
    total_x = 0
    total_o = 0
    for linha in board:
        total_x += linha.count(X)
        total_o += linha.count(O)
    if total_x == total_o:
        return X
    return O


def actions(board):
    """As casas livres, como conjunto de pares (i, j)."""
    livres = set()
    for i in range(3):
        for j in range(3):
            if board[i][j] == EMPTY:
                livres.add((i, j))
    return livres


def result(board, action):
    """O tabuleiro depois da jogada: um novo, o velho fica como está."""
    if action not in actions(board):
        raise ValueError(f"{action} não é uma casa livre")
    i, j = action
    depois = deepcopy(board)
    depois[i][j] = player(board)
    return depois


def verificar_linhas(board):
    for linha in board:
        if linha[0] == linha[1] == linha[2] != EMPTY:
            return linha[0]


def verificar_colunas(board):
    return verificar_linhas(zip(*board))


def verificar_diagonais(board):
    primeira = [board[0][0], board[1][1], board[2][2]]
    segunda = [board[0][2], board[1][1], board[2][0]]
    return verificar_linhas([primeira, segunda])


def winner(board):
    """X, O ou None."""
    return verificar_linhas(board) or verificar_colunas(board) or verificar_diagonais(board)


def terminal(board):
    """Se o jogo acabou."""
    if winner(board) is not None:
        return True
    return not actions(board)


def utility(board):
    """1 se X venceu, -1 se O venceu, 0 se ninguém venceu."""
    if winner(board) == X:
        return 1
    if winner(board) == O:
        return -1
    return 0


def max_value(board):
    if terminal(board):
        return utility(board)
    melhor_valor = -math.inf
    for action in sorted(actions(board)):
        melhor_valor = max(melhor_valor, min_value(result(board, action)))
    return melhor_valor


def min_value(board):
    if terminal(board):
        return utility(board)
    melhor_valor = math.inf
    for action in sorted(actions(board)):
        melhor_valor = min(melhor_valor, max_value(result(board, action)))
    return melhor_valor


def minimax(board):
    """Uma das melhores jogadas para quem tem a vez."""
    if terminal(board):
        return None
    melhor_acao = None
    if player(board) == X:
        melhor_valor = -math.inf
        for action in sorted(actions(board)):
            valor = min_value(result(board, action))
            if valor > melhor_valor:
                melhor_valor, melhor_acao = valor, action
    else:
        melhor_valor = math.inf
        for action in sorted(actions(board)):
            valor = max_value(result(board, action))
            if valor < melhor_valor:
                melhor_valor, melhor_acao = valor, action
    return melhor_acao
