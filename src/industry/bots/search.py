"""Looking ahead: try each sensible move, play on by value, and judge where everyone ends up.

Within a round nothing is left to chance, but small causes have great effects: one Taler more or
less, and everybody plays differently. So every sample plays on with other opinions (weights a
little shaken) and other draws, and all candidates meet the same opinions and the same draws.
What counts is by how much a candidate is better than the first one, sample by sample.
"""

from industry.engine.board import Board
from industry.engine.codes import BID, SUBSIDY
from industry.engine.rule import part
from industry.engine.state import State
from industry.engine.step import carry_out, list_moves
from industry.engine.vocabulary import Phase

from .desk import SIMULATED, Desk, copy_place
from .policy import play_on
from .values import judge

ROOT = 6
"""Place of the position that is thought about."""
POINT = 0.005
"""What a point more is worth as a share of the victory: it decides where victory does not."""
MOST_BIDS = 7
"""Bids beyond so many steps above the lowest are not looked at: they only cost more."""
FULL_PURSE = 6


@part
def is_sensible(state: State, seat: int, code: int) -> bool:
    """No bid far above the highest one, and no subsidy for a full purse."""
    if state.phase == Phase.BID and code >= BID:
        return bool(code <= BID + state.high_bid + MOST_BIDS)
    return code != SUBSIDY or bool(state.talers[seat] <= FULL_PURSE)


@part
def list_candidates(board: Board, state: State, moves: list[int], first: int) -> int:
    """The legal moves that are worth a thought, `first` before all others."""
    seat = int(state.actor)
    count = list_moves(board, state, seat, moves)
    kept = 0
    place = 0
    for position in range(count):
        code = moves[position]
        if code == first:
            place = kept
        elif not is_sensible(state, seat, code):
            continue
        moves[kept] = code
        kept += 1
    moves[place] = moves[0]
    moves[0] = first
    return kept


@part
def try_candidates(
    board: Board,
    states: list[State],
    weights: list[list[float]],
    opinion: list[list[float]],
    desk: Desk,
    moves: list[list[int]],
    generator: list[int],
    candidates: list[int],
    count: int,
    rounds: int,
    leads: list[list[float]],
) -> None:
    """One sample: add each candidate's lead over the first one, and its square, to `leads`.

    A game that seems won or lost anyway is still played for points: the others may err.
    """
    seat = int(states[ROOT].actor)
    words = generator[0], generator[1], generator[2], generator[3]
    standard = 0.0
    for candidate in range(count):
        generator[0], generator[1], generator[2], generator[3] = words
        copy_place(states, SIMULATED, ROOT)
        carry_out(board, states[SIMULATED], seat, int(candidates[candidate]))
        play_on(board, states, opinion, desk, moves, generator, rounds)
        judge(board, states[SIMULATED], weights, desk.room, desk.worth, desk.shares)
        worth = desk.shares[seat] + POINT * desk.worth[seat]
        if candidate == 0:
            standard = worth
        leads[candidate][0] += worth - standard
        leads[candidate][1] += (worth - standard) * (worth - standard)
