"""Makes the positions: `python -m benchmarks.positions.make --work DIR [--passes N]`.

The games are between bots of all levels. Every candidate is judged by lines to the end of the game,
the same draws and opinions for all candidates of a position. A pass adds `LINES` lines where the
loss of a candidate still has a standard error above 0.7 percentage points. The folder keeps every
line, so that a stopped run continues and a later pass adds to an earlier one; after each pass the
files of the tables are written. The same command makes the same files.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from benchmarks.judge_games import bot_game
from industry.boards import BoardSpec, load_board
from industry.engine import Phase, PlayerMove, Position
from industry.judge import Judge
from industry.judge.ending import solve_moves
from industry.judge.judging import Floats, candidates, standard_error
from industry.notation import Game, write_move

from . import HERE, KINDS, TABLES, file_of, replayed

GAMES = 25
FIELD = ("apprentice", "foreman", "engineer", "director:samples=8", "magnate-0.1:samples=8")
LINES = 1536
"""Lines of a pass: a multiple of the judge's blocks and of its opinions."""
PASSES = 5
ERROR = 0.007
PHASES = (Phase.OFFER, Phase.BID, Phase.SETTLE, Phase.DEVELOP)
Entry = dict[str, Any]


def chosen(game: Game, rng: Random) -> list[tuple[int, str, Position]]:
    """Returns one decision with a choice of each kind, from randomly chosen eras."""
    found: dict[Phase, dict[int, list[tuple[int, Position]]]] = {phase: {} for phase in PHASES}
    there = Game(game.board, game.players, game.starting_player, game.options)
    for number, move in enumerate(game.moves):
        position = there.position
        if position.phase in found and len(candidates(position)) > 1:
            eras = found[position.phase]
            eras.setdefault(int(position.state.era), []).append((number, position))
        there.play(move)
    picked = []
    for kind, phase in zip(KINDS, PHASES, strict=True):
        eras = found[phase]
        number, position = rng.choice(eras[rng.choice(sorted(eras))])
        picked.append((number, kind, position))
    return sorted(picked, key=lambda entry: entry[0])


def begun_game(edition: str, players: int, number: int, seed: str) -> Entry:
    """Returns a game with four of its decisions, not yet judged."""
    rng = Random(f"{seed} {edition} {players} {number}")
    names = [rng.choice(FIELD) for _ in range(players)]
    game = bot_game(load_board(edition), players, names, rng.getrandbits(48))
    entries = [
        {"move": move, "kind": kind, "era": int(position.state.era) + 1}
        for move, kind, position in chosen(game, rng)
    ]
    return {"record": game.record().data(), "positions": entries}


class Truth:
    """The results for one position: by candidate and line, the mover's share of the victory.

    A solved ending has one line.
    """

    def __init__(self, board: BoardSpec, position: Position, file: Path) -> None:
        self.board = board
        self.position = position
        self.file = file
        self.moves = candidates(position)
        self.wins: dict[PlayerMove, Floats] = {}
        if file.exists():
            with np.load(file) as kept:
                if int(kept["solved"]):
                    self.moves = list(position.legal_moves)
                self.wins = {move: kept[str(place)] for place, move in enumerate(self.moves)}

    def add(self, judge: Judge, lines: int) -> None:
        """Judges the candidates whose error is still too large, by up to `lines` lines each."""
        seat = self.position.actor
        is_new = not self.wins
        if is_new and (solved := solve_moves(judge.runner, self.position)) is not None:
            self.moves = list(self.position.legal_moves)
            self.wins = {move: solved[move].wins[:, seat] for move in self.moves}
        wanted = [move for move in self.moves if self._is_wanted(move)]
        for move in wanted:
            before = self.wins.get(move, np.zeros(0))
            if len(before) < lines:
                more = judge.outcomes(self.position, move, len(before), lines).wins[:, seat]
                self.wins[move] = np.concatenate([before, more])
        if wanted or is_new:
            held = {str(place): self.wins[move] for place, move in enumerate(self.moves)}
            np.savez_compressed(self.file, solved=self.is_solved, **held)  # type: ignore[arg-type]

    @property
    def is_solved(self) -> bool:
        return len(self.wins[self.moves[0]]) == 1

    @property
    def best(self) -> PlayerMove:
        return max(self.moves, key=lambda move: float(self.wins[move].mean()))

    def _is_wanted(self, move: PlayerMove) -> bool:
        """Checks whether more lines of a move are needed, for its own sake or for comparison."""
        if not self.wins:
            return True
        if move == self.best:
            return max(self.loss(other)[1] for other in self.moves) > ERROR
        return self.loss(move)[1] > ERROR

    def loss(self, move: PlayerMove) -> tuple[float, float]:
        """Returns what a move loses against the best one, on the same lines, with its error."""
        best, own = self.wins[self.best], self.wins[move]
        lost = (best[: len(own)] - own[: len(best)])[:, None]
        return float(lost.mean()), 0.0 if len(lost) == 1 else float(standard_error(lost)[0])

    def data(self) -> dict[str, list[float]]:
        """Returns by candidate, as a line: chance of winning, loss, error of the loss, lines."""
        found = {}
        for move in sorted(self.moves, key=lambda move: self.loss(move)[0]):
            loss, error = self.loss(move)
            lines = 0 if self.is_solved else len(self.wins[move])
            rounded = [round(value, 4) for value in (float(self.wins[move].mean()), loss, error)]
            found[write_move(move, self.board)] = [*rounded, lines]
        return found


class Maker:
    """The games and truths of all tables in a folder."""

    def __init__(self, work: Path, seed: str, games: int, lines: int) -> None:
        self.work = work
        self.seed = seed
        self.games = games
        self.most = lines
        work.mkdir(parents=True, exist_ok=True)

    def game(self, edition: str, players: int, number: int) -> Entry:
        """Returns a game, played now if the folder does not hold it."""
        file = self.work / f"{edition}-{players}-{number}.json"
        if not file.exists():
            file.write_text(json.dumps(begun_game(edition, players, number, self.seed)))
        found: Entry = json.loads(file.read_text(encoding="utf-8"))
        return found

    def truths(self, edition: str, players: int, number: int) -> list[tuple[Entry, Truth]]:
        """Returns the decisions of a game with their results so far."""
        board = load_board(edition)
        game = self.game(edition, players, number)
        name = f"{edition}-{players}-{number}"
        return [
            (entry, Truth(board, position, self.work / f"{name}-{entry['move']}.npz"))
            for entry, position in replayed(game, board)
        ]

    def judge_game(self, edition: str, players: int, number: int, lines: int) -> None:
        judge = Judge(load_board(edition).rules, seed=self.seed, lines=self.most)
        for _, truth in self.truths(edition, players, number):
            truth.add(judge, lines)

    def write(self, folder: Path) -> None:
        """Writes the files of all tables."""
        for edition, players in TABLES:
            with file_of(edition, players, folder).open("w", encoding="utf-8") as out:
                for number in range(self.games):
                    truths = self.truths(edition, players, number)
                    positions = [{**entry, "candidates": truth.data()} for entry, truth in truths]
                    record = self.game(edition, players, number)["record"]
                    line = json.dumps(
                        {"record": record, "positions": positions}, separators=(",", ":")
                    )
                    out.write(f"{line}\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, required=True, metavar="DIR", help="keeps all lines")
    parser.add_argument("--to", type=Path, default=HERE, metavar="DIR", help="where files go")
    parser.add_argument("--passes", type=int, default=PASSES, help=f"default {PASSES}")
    parser.add_argument("--lines", type=int, default=LINES, help=f"of a pass, default {LINES}")
    parser.add_argument("--games", type=int, default=GAMES, help=f"per table, default {GAMES}")
    parser.add_argument("--seed", default="positions", help="of games and lines")
    args = parser.parse_args()
    maker = Maker(args.work, args.seed, args.games, args.passes * args.lines)
    for number in range(1, args.passes + 1):
        begun = time.monotonic()
        for game in range(args.games):
            for edition, players in TABLES:
                maker.judge_game(edition, players, game, number * args.lines)
            spent = time.monotonic() - begun
            print(f"pass {number}, game {game + 1} of each table, {spent:.0f} s", file=sys.stderr)
        maker.write(args.to)


if __name__ == "__main__":
    main()
