"""Plays whole games over the Universal Game Interface: every answer must be legal, and the result the engine's own.

usage: ugi_games.py GAMBOL FILE [NAME=VALUE ...] [--actions N] [--nodes N] [--seed N]

The actions of one side are drawn, those of the other are the engine's answers. Legal actions and outcomes are asked of
`gambol moves --json`, which is not part of the conversation.
"""

import argparse
import json
import random
import subprocess
import sys


class Engine:
    """A conversation with `gambol ugi`."""

    def __init__(self, gambol, file, settings):
        self.command = [gambol, "ugi", file]
        for setting in settings:
            self.command += ["--set", setting]
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def say(self, line):
        self.process.stdin.write(line + "\n")

    def hear(self, *begins):
        """The next line that begins so; the others may only be reports."""
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit(f"{self.command}: the engine has gone")
            line = line.rstrip("\n")
            if line.startswith(begins):
                return line
            if not line.startswith(("info ", "id ", "option ")):
                sys.exit(f"{self.command}: unexpected line: {line}")
            if line.startswith("info string"):
                sys.exit(f"{self.command}: {line}")

    def ask(self, line, begins):
        self.say(line)
        return self.hear(begins)

    def query(self, what):
        return self.ask(f"query {what}", "response ").split()[1]

    def quit(self):
        self.say("quit")
        if self.process.wait(timeout=60) != 0:
            sys.exit(f"{self.command}: exit code {self.process.returncode}")


def replay(gambol, file, settings, actions):
    """The state after some actions, by another command."""
    command = [gambol, "replay", file, "-", "--json"]
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(command, input=" ".join(actions), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gambol")
    parser.add_argument("file")
    parser.add_argument("settings", nargs="*")
    parser.add_argument("--actions", type=int, default=400)
    parser.add_argument("--nodes", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    chance = random.Random(args.seed)

    engine = Engine(args.gambol, args.file, args.settings)
    engine.ask("ugi", "ugiok")
    engine.ask("isready", "readyok")
    engine.say("uginewgame")
    engine.ask("isready", "readyok")

    actions, told = [], []
    side = chance.randrange(2)
    over = False
    while len(actions) < args.actions:
        moves = f" moves {' '.join(actions)}" if actions else ""
        engine.say(f"position startpos{moves}")
        engine.ask("isready", "readyok")
        first = engine.query("p1turn") == "true"
        over = engine.query("gameover") == "true"
        told.append((first, over, engine.query("result")))
        if over:
            break
        if first == (side == 0):
            action = engine.ask(f"go nodes {args.nodes}", "bestmove ").split()[1]
        else:
            # The other side draws; the shares are the legal actions.
            engine.say("go perft 1")
            legal = []
            while True:
                line = engine.process.stdout.readline().rstrip("\n")
                if line.startswith("nodes "):
                    break
                legal.append(line.rsplit(":", 1)[0])
            if int(line.split()[1]) != len(legal):
                sys.exit(f"{args.file}: {line} and {len(legal)} actions")
            action = chance.choice(legal)
        actions.append(action)
    engine.quit()

    # A player is the same person all the time, unless the position says that seats are exchanged.
    states = replay(args.gambol, args.file, args.settings, actions)
    if not over:
        sys.exit(f"{args.file}: not over after {len(actions)} actions")
    first_player = states[0]["to_move"]
    for ply, (state, said) in enumerate(zip(states, told)):
        exchanged = "seats=exchanged" in state["position"].split()
        if said[0] != ((state["to_move"] == first_player) != exchanged):
            sys.exit(f"{args.file}: ply {ply}: p1turn {said[0]}, but {state['position']}")
        outcome = state["outcome"]
        if said[1] != (outcome is not None):
            sys.exit(f"{args.file}: ply {ply}: gameover {said[1]}, but {outcome}")
        if outcome is None:
            expected = "none"
        elif outcome.get("winner"):
            expected = "p1win" if (outcome["winner"] == first_player) != exchanged else "p2win"
        else:
            expected = "draw"
        if said[2] != expected:
            sys.exit(f"{args.file}: ply {ply}: result {said[2]}, but {outcome}")
    print(f"{args.file}: {len(actions)} actions, {told[-1][2]}")


main()
