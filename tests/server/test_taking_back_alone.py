"""Against bots alone one goes back to one's last decision, whatever they did since (J1)."""

from random import Random

import pytest

from industry.notation import verify
from industry.notation.proof import check_data
from industry.server.commands import MOST_UNDOS_ALONE
from industry.server.entries import entry_of
from industry.server.table import Table

from .playing import Server, play_on
from .tables import BOARDS, Play
from .test_table import refusal

ALONE = ("human", "random", "random", "random")


def bots_play(play: Play, rng: Random) -> None:
    """The bots decide until the person must."""
    while play.table.status == "running" and play.table.seats[play.actor - 1].kind == "bot":
        draft = play.draft(100)
        draft.bot_move(rng.choice(play.legal()))
        play.keep(draft)


def take_back(play: Play) -> None:
    draft = play.draft(100)
    draft.undo(0)
    play.keep(draft)


def test_one_goes_back_to_one_s_last_decision_whatever_the_bots_did_since() -> None:
    play, rng = Play(ALONE, auto_forced=False), Random(4)
    bots_play(play, rng)
    draws = 0
    while draws < 3 and play.table.status == "running":
        before, drawn = play.table.lines, len(play.moves("chance"))
        play.move(rng.choice(play.legal()))
        bots_play(play, rng)
        if len(play.moves("chance")) > drawn:
            draws += 1
            take_back(play)
            assert play.table.lines == before
            assert play.actor == 1
            assert verify(play.table.record(), play.table.board) is None
            check_data(play.table.record().data())
            play.move(rng.choice(play.legal()))
            bots_play(play, rng)
    assert draws == 3
    assert play.table.seats[0].taken_back == 3


def test_one_goes_back_decision_by_decision_to_the_first() -> None:
    play, rng = Play(ALONE, auto_forced=False), Random(6)
    bots_play(play, rng)
    first = play.table.record()
    for _ in range(5):
        play.move(rng.choice(play.legal()))
        bots_play(play, rng)
    for _ in range(5):
        take_back(play)
    assert play.table.record() == first
    with refusal("nothing_to_undo"):
        play.draft().undo(0)


@pytest.mark.parametrize("edition", BOARDS)
def test_the_bag_stays_as_it_was_and_proven_and_the_log_rebuilds_the_table(edition: str) -> None:
    """What was drawn is drawn again, however often one goes back."""
    play, rng = Play(ALONE, edition=edition, clock="live"), Random(8)
    bots_play(play, rng)
    drawn: dict[int, str] = {}
    while play.table.status == "running":
        play.move(rng.choice(play.legal()), after=1000)
        bots_play(play, rng)
        draws = [line for line in play.table.lines if line.startswith("draw")]
        for number, line in enumerate(draws):
            assert drawn.setdefault(number, line) == line
        if play.table.status == "running" and rng.random() < 0.25:
            take_back(play)
    record = play.table.record()
    assert verify(record, play.table.board) is None
    assert check_data(record.data()).secret
    again = Table(play.table.id, {board.hash: board for board in BOARDS.values()})
    again.apply_all(entry_of(entry.text()) for entry in play.entries)
    assert again.record() == record
    assert again.seats == play.table.seats
    assert again.times == play.table.times
    undone = [entry for entry in play.entries if entry.what.kind == "undone"]
    assert again.seats[0].taken_back == len(undone) > 0


def test_where_it_is_off_nothing_is_taken_back() -> None:
    play, rng = Play(ALONE, auto_forced=False, undo="off"), Random(4)
    bots_play(play, rng)
    play.move(rng.choice(play.legal()))
    bots_play(play, rng)
    assert play.table.undoable(0) is None
    with refusal("undo_off"):
        play.draft().undo(0)


def test_with_a_second_person_the_rule_stays_as_it_is() -> None:
    play, rng = Play(("human", "human", "random"), auto_forced=False), Random(1)
    bots_play(play, rng)
    seat = play.actor - 1
    play.move(rng.choice(play.legal()))
    assert play.table.undoable(seat) is not None
    while play.table.seats[play.actor - 1].kind == "human":
        play.move(rng.choice(play.legal()))
    bots_play(play, rng)
    assert all(play.table.undoable(other) is None for other in range(3))


def test_everyone_is_told_how_often_it_was_used(sqlite_server: Server) -> None:
    made = sqlite_server.make(*ALONE)
    with sqlite_server.client(made, 1).ready() as client:
        rng = Random(2)
        play_on(client, rng, 2)
        seat = client.until_mine()
        assert seat and client.yours[seat]["can_undo"]
        answer = client.command("undo", seat)
        assert answer["type"] == "accepted"
        client.until_version(answer["version"])
        assert client.view["seats"][seat - 1]["taken_back"] == 1
        assert client.entries[-1]["kind"] == "undone"
        play_on(client, rng, 1)


def test_alone_one_goes_back_two_hundred_times_before_something_new_is_drawn() -> None:
    """Every undo stays in the log: without a limit one client could make it grow for ever."""
    play, rng = Play(ALONE, auto_forced=False), Random(4)
    bots_play(play, rng)
    line = play.legal()[0]
    for _ in range(MOST_UNDOS_ALONE):
        play.move(line)
        take_back(play)
    play.move(line)
    with refusal("too_many_undos"):
        play.draft().undo(0)
    drawn = len(play.moves("chance"))
    while len(play.moves("chance")) == drawn:
        bots_play(play, rng)
        play.move(rng.choice(play.legal()))
    take_back(play)
    assert MOST_UNDOS_ALONE == 200
