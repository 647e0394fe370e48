"""A small net that values positions between rounds, for the compiled rules.

It looks at the table from every seat in turn: that seat's counts first, then those of its left
neighbours, then what all seats share. Its answer corrects the linear value.

This module has its own folder, because machine code is compiled again when a file in its folder
changes.
"""

from typing import Any

from industry.bots.features import Stage, count_seat
from industry.bots.scratch import Scratch
from industry.bots.tally import COUNT, DEVELOPED, LATER, NOW, WAITING, count_table
from industry.bots.values import row_of, weighted_features
from industry.engine.board import Board
from industry.engine.constants import COLUMNS, ERAS, MAX_NETWORKS, RESOURCES
from industry.engine.rule import entry_point, helper
from industry.engine.state import State

SEAT_INPUTS = COUNT + 4 * MAX_NETWORKS + RESOURCES
SHARED_INPUTS = ERAS + 1 + 2 * MAX_NETWORKS + 2 * RESOURCES
FIRST, SECOND, OUTPUTS = 64, 32, 2
WIN, POINTS = 0, 1
"""Outputs: correction of the logarithm of a seat's odds, and of its final points."""


@helper
def count_inputs(
    board: Board,
    state: State,
    weights: list[list[float]],
    scratch: Scratch,
    inputs: list[float],
    expected: list[float],
) -> int:
    """Writes the inputs of all seats, then the shared ones, and the linear value of every seat."""
    count_table(board, state, scratch)
    row = weights[row_of(state, Stage.BETWEEN_ROUNDS)]
    place = 0
    for seat in range(state.players):
        count_seat(board, state, seat, Stage.BETWEEN_ROUNDS, scratch)
        expected[seat] = weighted_features(row, scratch)
        for feature in range(COUNT):
            inputs[place + feature] = scratch.features[feature]
        place += COUNT
        for network in range(MAX_NETWORKS):
            inputs[place] = scratch.factories[network][DEVELOPED]
            inputs[place + 1] = scratch.factories[network][WAITING]
            inputs[place + 2] = scratch.station_points[network][DEVELOPED]
            inputs[place + 3] = scratch.station_points[network][WAITING]
            place += 4
        for resource in range(RESOURCES):
            inputs[place] = scratch.sellers[resource] >> seat & 1
            place += 1
    return count_shared(state, scratch, inputs, place)


@helper
def count_shared(state: State, scratch: Scratch, inputs: list[float], place: int) -> int:
    """Writes what is the same for all seats from `place` on; returns the place behind it."""
    for era in range(ERAS):
        inputs[place + era] = 1.0 if state.era == era else 0.0
    place += ERAS
    inputs[place] = scratch.bag / COLUMNS
    place += 1
    for network in range(MAX_NETWORKS):
        inputs[place] = scratch.coming_factories[network]
        inputs[place + 1] = scratch.coming_station_points[network]
        place += 2
    for resource in range(RESOURCES):
        inputs[place] = scratch.table_demand[resource][NOW]
        inputs[place + 1] = scratch.table_demand[resource][LATER]
        place += 2
    return place


@helper
def add_product(
    inputs: list[float], first: int, count: int, net: list[float], start: int, sums: list[float]
) -> None:
    """Adds the inputs, `count` from `first` on, times the rows of the net from `start` on.

    A row is cut out, so that no index in its loop can be negative: the machine code is faster.
    """
    for place in range(count):
        value = inputs[first + place]
        if value != 0.0:
            begin = start + place * FIRST
            row = net[begin : begin + FIRST]
            for unit in range(FIRST):
                sums[unit] += value * row[unit]


@helper
def seat_answer(
    players: int, seat: int, inputs: list[float], net: list[float], memory: list[float]
) -> None:
    """Writes the net's outputs for a seat to the first places of `memory`."""
    first, second = memory[OUTPUTS : OUTPUTS + FIRST], memory[OUTPUTS + FIRST :]
    for unit in range(FIRST):
        first[unit] = net[unit]
    start = FIRST
    for step in range(players):
        block = (seat + step) % players * SEAT_INPUTS
        add_product(inputs, block, SEAT_INPUTS, net, start, first)
        start += SEAT_INPUTS * FIRST
    add_product(inputs, players * SEAT_INPUTS, SHARED_INPUTS, net, start, first)
    start += SHARED_INPUTS * FIRST
    for unit in range(SECOND):
        second[unit] = net[start + unit]
    start += SECOND
    for place in range(FIRST):
        value = first[place]
        if value > 0.0:
            row = net[start : start + SECOND]
            for unit in range(SECOND):
                second[unit] += value * row[unit]
        start += SECOND
    for output in range(OUTPUTS):
        memory[output] = net[start + output]
    start += OUTPUTS
    for place in range(SECOND):
        if second[place] > 0.0:
            for output in range(OUTPUTS):
                memory[output] += second[place] * net[start + output]
        start += OUTPUTS


@entry_point
def count_leaves(
    boards: Any, leaves: Any, weights: Any, scratches: Any, inputs: Any, expected: Any
) -> None:
    """Writes the inputs and linear values of many positions."""
    for place in range(len(leaves)):
        count_inputs(
            boards[0], leaves[place], weights, scratches[0], inputs[place], expected[place]
        )


@entry_point
def answer_leaves(
    boards: Any,
    leaves: Any,
    weights: Any,
    net: Any,
    scratches: Any,
    inputs: Any,
    memory: Any,
    answers: Any,
) -> None:
    """Writes the net's corrected points and logarithms of odds of many positions, by seat."""
    for place in range(len(leaves)):
        state = leaves[place]
        count_inputs(boards[0], state, weights, scratches[0], inputs, scratches[0].expected)
        for seat in range(state.players):
            seat_answer(int(state.players), seat, inputs, net, memory)
            for output in range(OUTPUTS):
                answers[place, seat, output] = memory[output]
