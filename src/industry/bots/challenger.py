"""A search that may become the next magnate: it compares moves on lines valued in every round."""

from random import Random

from industry.engine import Board, Position

from .clock import Clock
from .halving import Halving
from .levels import Director
from .round_ends import RoundEnds, included_round_ends, judged_round_ends
from .runner import WeightSet, learned_weight_set
from .valued_lines import Lines, compile_lines, mixture_of


class Challenger(Director):
    """Starts from learned values and compares moves on the same lines by sequential halving.

    With `samples`, a decision takes that many lines per candidate on average. With `net=0`, lines
    are valued without a net, with `judged=0` as the judge's are: by the learned weights.
    """

    level = 5
    description = "Measures every sensible move on lines of several rounds; not yet a level."

    STEP = 2
    """Lines between two checks of the clock: opposite opinions, which come in pairs."""

    def __init__(self, samples: int = 0, net: int = 1, judged: int = 1) -> None:
        super().__init__(samples)
        self.has_net = bool(net)
        self.is_judged = bool(judged)

    def warm_up(self) -> None:
        super().warm_up()
        compile_lines()

    def weight_set(self, board: Board, players: int) -> WeightSet:
        return learned_weight_set(int(board.edition), players)

    def round_ends(self, board: Board, players: int) -> RoundEnds:
        """Returns the values by which its lines are measured."""
        if not self.is_judged:
            return included_round_ends(int(board.edition), players)
        return judged_round_ends(int(board.edition), players, has_net=self.has_net)

    def _preferred(self, position: Position, clock: Clock, rng: Random) -> int:
        runner = self.runner(position.board)
        weight_set = self.weight_set(position.board, int(position.state.players))
        first = runner.greedy_move(position, weight_set.weights)
        halving = Halving(runner.candidates(position, first))
        if halving.is_decided:
            return first
        ends = self.round_ends(position.board, int(position.state.players))
        lines = Lines(runner, position, rng, ends)
        mixture = mixture_of(0.0 if self.samples else clock.seconds, self.is_judged)
        total = self.samples * len(halving.codes)
        played = 0
        for stage in range(halving.stages):
            share = (stage + 1) / halving.stages
            while not halving.is_decided:
                is_over = played >= share * total if self.samples else clock.is_past(share)
                if is_over:
                    break
                played += self.STEP * len(halving.codes)
                worths = lines.play(halving.codes, self.STEP, mixture)
                halving.add(worths[:, :, position.actor])
            if halving.taken:
                halving.halve()
        return halving.winner()
