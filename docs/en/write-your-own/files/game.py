# game.py
import random

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe:
    def __init__(self):
        self.board = [" "] * 9
        self.human_player = "O"
        self.ai_player = "X"

    def print_board(self):
        for start in (0, 3, 6):
            print(" | ".join(self.board[start : start + 3]))

    def available_moves(self):
        return [cell for cell in range(9) if self.board[cell] == " "]

    def make_move(self, position, mark):
        if self.board[position] != " ":
            return False
        self.board[position] = mark
        return True

    def undo_move(self, position):
        self.board[position] = " "

    def check_winner(self):
        for a, b, c in LINES:
            if self.board[a] == self.board[b] == self.board[c] != " ":
                return self.board[a]
        return None

    def is_board_full(self):
        return " " not in self.board

    def game_over(self):
        return self.check_winner() is not None or self.is_board_full()

    def minimax(self, depth, is_maximizing):
        winner = self.check_winner()
        if winner == self.ai_player:
            return 10 - depth
        if winner == self.human_player:
            return depth - 10
        if self.is_board_full():
            return 0
        mark = self.ai_player if is_maximizing else self.human_player
        values = []
        for move in self.available_moves():
            self.make_move(move, mark)
            values.append(self.minimax(depth + 1, not is_maximizing))
            self.undo_move(move)
        return max(values) if is_maximizing else min(values)

    def get_best_move(self):
        best_value, best_move = -100, None
        for move in self.available_moves():
            self.make_move(move, self.ai_player)
            value = self.minimax(1, False)
            self.undo_move(move)
            if value > best_value:
                best_value, best_move = value, move
        return best_move

    def ask_for_move(self):
        while True:
            typed = input("Your cell, 0 to 8: ")
            if not typed.isdecimal():
                print("Not a number.")
            elif int(typed) > 8:
                print("No such cell.")
            elif not self.make_move(int(typed), self.human_player):
                print("Taken.")
            else:
                return

    def play_game(self):
        print("Welcome! You are O.\n0 | 1 | 2\n3 | 4 | 5\n6 | 7 | 8\n")
        ai_turn = random.choice([True, False])
        while not self.game_over():
            self.print_board()
            if ai_turn:
                print("My turn:")
                self.make_move(self.get_best_move(), self.ai_player)
            else:
                self.ask_for_move()
            ai_turn = not ai_turn
        self.print_board()
        winner = self.check_winner()
        print("Draw!" if winner is None else f"{winner} wins!")


if __name__ == "__main__":
    TicTacToe().play_game()
