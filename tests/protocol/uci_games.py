"""Holds `gambol uci` against python-chess: legal moves, whole games, limits and analysis.

usage: uci_games.py GAMBOL FILE [--games N] [--positions N] [--seed N]

Needs the package `chess`. Prints one line for each part; the exit code is 0 when all holds.
"""

import argparse
import random
import subprocess
import sys
import time

import chess
import chess.engine

# Castling both ways and through attacks, promotions with and without captures, passing pawns that pin and are pinned.
POSITIONS = [
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
    "4k3/8/8/8/1pPp4/8/8/4K3 b - c3 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b Qk - 12 30",
    "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1",
    "1r2k3/P6P/8/8/8/8/p6p/1R2K3 w - - 0 1",
    "1r2k3/P6P/8/8/8/8/p6p/1R2K3 b - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "k7/8/8/8/8/8/8/K6R w - - 99 80",
]


class Plain:
    """The lines of the protocol, without a library between."""

    def __init__(self, gambol, file):
        self.process = subprocess.Popen(
            [gambol, "ugi", file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.say("uci")
        options = set()
        while (line := self.hear()) != "uciok":
            if line.startswith("option name "):
                options.add(line.split()[2])
            elif line.startswith("info string"):
                sys.exit(line)
        # Draws that are claimed elsewhere shall not end a game here.
        for name, value in [("repetition", 10), ("quiet_limit", 1000)]:
            if name in options:
                self.say(f"setoption name {name} value {value}")

    def say(self, line):
        self.process.stdin.write(line + "\n")

    def hear(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit("the engine has gone")
        return line.rstrip("\n")

    def legal(self, board):
        root = board.root()
        moves = " ".join(move.uci() for move in board.move_stack)
        start = "startpos" if root.fen() == chess.STARTING_FEN else f"fen {root.fen(en_passant='fen')}"
        self.say(f"position {start}" + (f" moves {moves}" if moves else ""))
        self.say("go perft 1")
        found = set()
        while True:
            line = self.hear()
            if line.startswith("nodes "):
                return found
            if line.startswith("info string"):
                sys.exit(f"{board.fen()}: {line}")
            found.add(line.split(":")[0])

    def fen(self):
        self.say("d")
        self.hear()
        return self.hear().removeprefix("info string fen ")

    def quit(self):
        self.say("quit")
        self.process.wait(timeout=60)


def same_moves(engine, board):
    ours = engine.legal(board)
    theirs = {move.uci() for move in board.legal_moves}
    # Only where both say that the game is over may one still list moves.
    if ours != theirs and not (not ours and board.is_insufficient_material()):
        sys.exit(
            f"{board.fen()} after {[m.uci() for m in board.move_stack]}: "
            f"only here {sorted(ours - theirs)}, only there {sorted(theirs - ours)}"
        )


def same_fen(engine, board):
    ours, theirs = engine.fen().split(), board.fen(en_passant="legal").split()
    # The game sets the passed cell when a pawn stands beside it, even a pinned one; and it may not count turns.
    if ours[3] != theirs[3] and theirs[3] == "-":
        ours[3] = "-"
    if ours[:5] != theirs[:5]:
        sys.exit(f"{board.fen()}: here it is {' '.join(ours)}")


def drawn_moves(args, chance):
    engine = Plain(args.gambol, args.file)
    compared = special = 0
    for game in range(args.games):
        start = POSITIONS[game % len(POSITIONS)]
        board = chess.Board(start)
        while not board.is_game_over() and len(board.move_stack) < 160:
            same_moves(engine, board)
            same_fen(engine, board)
            compared += 1
            moves = list(board.legal_moves)
            rare = [m for m in moves if m.promotion or board.is_castling(m) or board.is_en_passant(m)]
            move = chance.choice(rare if rare and chance.random() < 0.5 else moves)
            special += move in rare
            board.push(move)
        same_moves(engine, board)
        compared += 1
    # From anywhere, told by FEN alone.
    for _ in range(args.positions):
        board = chess.Board(chance.choice(POSITIONS))
        for _ in range(chance.randrange(60)):
            if board.is_game_over():
                break
            board.push(chance.choice(list(board.legal_moves)))
        same_moves(engine, chess.Board(board.fen(en_passant="fen")))
        compared += 1
    engine.quit()
    print(f"legal moves: {compared} positions alike, {special} special moves played")


def played_games(args, chance):
    games = moves = 0
    with chess.engine.SimpleEngine.popen_uci([args.gambol, "ugi", args.file]) as engine:
        limits = [
            chess.engine.Limit(nodes=20),
            chess.engine.Limit(time=0.02),
            chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.01, black_inc=0.01),
            chess.engine.Limit(depth=2),
        ]
        for game in range(max(2, args.games // 4)):
            board = chess.Board(POSITIONS[game % len(POSITIONS)])
            ours = chance.randrange(2) == 0
            limit = limits[game % len(limits)]
            # A depth is a longer thought than the others.
            longest = 200 if limit.depth is None else 16
            while not board.is_game_over(claim_draw=False) and len(board.move_stack) < longest:
                if board.turn == ours:
                    # An illegal answer raises an error here.
                    result = engine.play(board, limit, game=game)
                    if result.move not in board.legal_moves:
                        sys.exit(f"{board.fen()}: {result.move}")
                    board.push(result.move)
                else:
                    board.push(chance.choice(list(board.legal_moves)))
                moves += 1
            games += 1
        print(f"games: {games} with {moves} moves, none illegal")

        for fen in POSITIONS:
            board = chess.Board(fen)
            if board.is_game_over():
                continue
            for limit in [chess.engine.Limit(nodes=50), chess.engine.Limit(time=0.05)]:
                info = engine.analyse(board, limit, multipv=2)
                for line in info:
                    if line["pv"][0] not in board.legal_moves or "score" not in line:
                        sys.exit(f"{fen}: {line}")
        # A search without an end hears that it shall stop.
        with engine.analysis(chess.Board()) as analysis:
            time.sleep(0.3)
            analysis.stop()
            best = analysis.wait()
        if best.move not in chess.Board().legal_moves:
            sys.exit(f"analysis: {best}")
        only = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
        chosen = engine.play(chess.Board(), chess.engine.Limit(nodes=50), root_moves=only)
        if chosen.move not in only:
            sys.exit(f"root_moves: {chosen}")
        # Threefold repetition must be claimed; who does not claim it plays on.
        board = chess.Board()
        for uci in "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3".split():
            board.push_uci(uci)
        engine.play(board, chess.engine.Limit(nodes=5))
        print(f"analysis: {len(POSITIONS)} positions, by time, by nodes, and until it was stopped")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gambol")
    parser.add_argument("file")
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    drawn_moves(args, random.Random(args.seed))
    played_games(args, random.Random(args.seed))


main()
