"""Moves as values: what names nothing on any board is not a move, nor taken for one."""

import pytest

from industry.boards import load_board
from industry.engine import Bid, Cash, Develop, Draw, Event, Move, Offer, Options, play, start
from industry.engine.constants import Part
from industry.engine.events import FieldDeveloped, GameEnded, PointsScored
from industry.notation import new_game


@pytest.mark.parametrize(
    "move",
    [
        Draw((0, 1, 60)),
        Draw((-1, 1, 2)),
        Offer(0, 61),
        Cash(1, 62),
        Develop(0, -1),
        Develop(0, 10, (8, 0)),
        Bid(1, 2.5),  # type: ignore[arg-type]
        Bid(1, True),
    ],
    ids=repr,
)
def test_what_is_not_a_move_is_refused_and_not_taken_for_another(move: Move) -> None:
    board = load_board("industria").rules
    position = start(board, 3, 0, Options(resource_cash=True))
    if not isinstance(move, Draw):
        position, _ = play(position, Draw((0, 1, 2)))
    with pytest.raises(ValueError, match="is no"):
        play(position, move)


def test_the_final_scoring_is_shown_part_by_part_and_adds_up() -> None:
    game = new_game(["Ana", "Bo", "Cy"], seed="scoring")
    seen: list[Event] = []
    while not game.is_over:
        if game.position.draw_due:
            game.draw()
        else:
            moves = game.position.legal_moves
            seen += game.play(moves[len(game.moves) % len(moves)])
    assert isinstance(seen[-1], GameEnded)
    for seat, entry in enumerate(game.score()):
        told = {e.part: e.points for e in seen if isinstance(e, PointsScored) and e.seat == seat}
        built = [e.points for e in seen if isinstance(e, FieldDeveloped) and e.seat == seat]
        assert sum(told.values()) + sum(built) == entry.points
        assert told.get(Part.LINKS, 0) == entry.links
        assert told.get(Part.SUBSIDY, 0) == entry.subsidy
