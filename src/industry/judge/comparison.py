"""Compares a played move with the best one: what it lost, with its standard error.

The best of several noisy candidates looks better than it is. So the better move is chosen on one
set of lines, and what it would have gained is measured on others, which had no part in the choice.
A move that is not clearly better on the choosing lines is not called better: the move that was
played then counts as the best.
"""

from dataclasses import dataclass

from industry.engine import PlayerMove, Position

from .ending import solve_moves
from .judging import Judge, Outcomes, candidates, rank, standard_error

FINALISTS = 2
"""How many candidates besides the played move get all the choosing lines."""
CLEAR = 2.0
"""Standard errors by which a candidate must lead on the choosing lines to be called better."""


@dataclass(frozen=True)
class Comparison:
    """What the played move and the best one lead to, and what the difference cost the mover."""

    after: Outcomes
    best: Outcomes
    best_move: PlayerMove | None
    """None for a subsidy out of turn that was better not taken."""
    loss: float = 0.0
    loss_se: float = 0.0
    exact: bool = False
    is_close: bool = False
    """Some other move looked better, but was not shown to be."""
    known: Outcomes | None = None
    """All lines that were played after the move: the measuring ones and the choosing ones."""


def screening_lines(lines: int) -> int:
    """Returns how many choosing lines each candidate gets before the finalists are known."""
    return max(2, lines // 4 // 2 * 2)


def all_lines(lines: int) -> int:
    """Returns how many lines the played move gets: half as many for choosing as for measuring."""
    return lines + 2 * screening_lines(lines)


def compare(
    judge: Judge,
    position: Position,
    played: PlayerMove,
    is_out_of_turn: bool,
    known: Outcomes | None = None,
) -> Comparison:
    """Returns what the played move lost. A subsidy out of turn is compared with taking none.

    `known` are lines already played from the position itself: see `Judge.outcomes`.
    """
    if not is_out_of_turn and (solved := solve_moves(judge.runner, position)) is not None:
        return _exactly(solved, played)
    every = judge.outcomes(position, played, 0, all_lines(judge.lines), known)
    after, choosing = every.part(0, judge.lines), every.part(judge.lines, len(every.wins))
    better, is_close = _choose(judge, position, played, is_out_of_turn, choosing, known)
    if better is not played:
        best = judge.outcomes(position, better, known=known)
        loss, error = lead(best, after, played.seat)
        if loss > 0:
            return Comparison(after, best, better, loss, error, known=every)
    return Comparison(after, after, played, is_close=is_close, known=every)


def lead(one: Outcomes, two: Outcomes, seat: int) -> tuple[float, float]:
    """Returns how much more often a seat wins in the first case, with the standard error."""
    leads = (one.wins - two.wins)[:, [seat]]
    return float(leads.mean()), float(standard_error(leads)[0])


def _exactly(solved: dict[PlayerMove, Outcomes], played: PlayerMove) -> Comparison:
    ranked = rank(played.seat, list(solved), list(solved.values()))
    loss = next(value.loss for value in ranked if value.move == played)
    best = ranked[0].move if loss > 0 else played
    return Comparison(solved[played], solved[best], best, loss, exact=True)


def _choose(
    judge: Judge,
    position: Position,
    played: PlayerMove,
    is_out_of_turn: bool,
    standard: Outcomes,
    known: Outcomes | None,
) -> tuple[PlayerMove | None, bool]:
    """Returns the move that is clearly better than the played one, or else the played one itself,
    and whether any other looked better. `standard` are the choosing lines of the played move.

    All candidates get the first half of the choosing lines; the best two also get the second half.
    """
    first, last = judge.lines, all_lines(judge.lines)
    middle = first + screening_lines(judge.lines)
    others: list[PlayerMove | None] = [None]
    if not is_out_of_turn:
        others = [move for move in candidates(position) if move != played]
    screen = standard.part(0, middle - first)
    found = {move: judge.outcomes(position, move, first, middle, known) for move in others}
    others.sort(key=lambda move: -lead(found[move], screen, played.seat)[0])
    best: PlayerMove | None = played
    most = clearest = 0.0
    for move in others[:FINALISTS]:
        outcomes = found[move].joined(judge.outcomes(position, move, middle, last, known))
        gain, error = lead(outcomes, standard, played.seat)
        most = max(most, gain)
        if gain > CLEAR * error and gain > clearest:
            best, clearest = move, gain
    return best, most > 0
