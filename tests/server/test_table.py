"""A table is what its log makes of it: seats, course, absence, taking back, proof (rulings J)."""

from random import Random

import pytest

from industry.engine import Phase
from industry.notation import verify
from industry.notation.proof import check_data
from industry.server.entries import SeatToBot, chain_start, chained, entry_of
from industry.server.errors import Refused
from industry.server.names import clean_name
from industry.server.seat_names import seat_names
from industry.server.table import Table

from .tables import BOARDS, BOTS, Play

GAMES = [(edition, players) for edition in BOARDS for players in (3, 4)]


def refusal(code: str) -> pytest.RaisesExc[Refused]:
    return pytest.RaisesExc(Refused, match=f"^{code}$")


@pytest.mark.parametrize(("edition", "players"), GAMES)
@pytest.mark.parametrize("auto_forced", [True, False])
def test_a_table_is_rebuilt_from_its_log(edition: str, players: int, auto_forced: bool) -> None:
    play = Play(("human",) * players, edition=edition, auto_forced=auto_forced, clock="live")
    rng = Random(players)
    while play.table.status == "running":
        undoable = [seat for seat in range(players) if play.table.undoable(seat) is not None]
        if undoable and rng.random() < 0.1:
            draft = play.draft(500)
            draft.undo(undoable[0])
            play.keep(draft)
        else:
            play.move(rng.choice(play.legal()), after=1000)
    again = Table(play.table.id, {board.hash: board for board in BOARDS.values()})
    again.apply_all(entry_of(entry.text()) for entry in play.entries)
    assert again.record() == play.table.record()
    assert again.times == play.table.times
    assert again.seats == play.table.seats
    assert again.version == len(play.entries)


@pytest.mark.parametrize(("edition", "players"), GAMES)
def test_the_record_of_a_table_is_right_and_its_bag_is_proven(edition: str, players: int) -> None:
    """Rulings A5 and J7: draws, seating and Starting Player follow from the secret."""
    play = Play(("human",) * players, edition=edition, seating="random")
    play.play_on(Random(5))
    record = play.table.record()
    assert verify(record, play.table.board) is None
    checked = check_data(record.data())
    assert checked.secret
    assert checked.eras == (4 if (edition, players) == ("industria", 3) else 5)


def test_an_era_is_revealed_when_it_is_over_and_the_secret_with_the_game() -> None:
    play = Play()
    rng = Random(1)
    while play.table.status == "running":
        assert play.table.position is not None
        assert len(play.table.era_keys) == play.table.position.state.era
        assert play.table.secret is None
        play.move(rng.choice(play.legal()), after=1000)
    assert len(play.table.era_keys) == 5
    assert play.table.secret == bytes(range(32)).hex()
    assert play.kinds(2) == ["era_revealed", "bag_revealed"]


def test_a_log_with_a_changed_entry_breaks_its_chain() -> None:
    play = Play()
    texts = [entry.text() for entry in play.entries]
    head = chain_start(play.table.id)
    for text in texts:
        head = chained(head, text)
    other = chain_start(play.table.id)
    for text in [texts[0].replace("industry", "industria", 1), *texts[1:]]:
        other = chained(other, text)
    assert head != other


# Seats


def test_a_table_begins_when_its_last_seat_is_taken() -> None:
    play = Play(("human", "open", "foreman"))
    assert play.table.position is None
    draft = play.draft()
    draft.take_seat("Bo", None, "c0ffee")
    play.keep(draft)
    assert play.table.status == "running"
    assert [seat.name for seat in play.table.seats] == ["Player 1", "Bo", "Foreman"]
    assert play.table.proof().contributions == ("", "c0ffee", "")


def test_a_random_seating_comes_from_the_bag_and_places_stay_known() -> None:
    """Ruling A5."""
    play = Play(seating="random")
    places = [seat.place for seat in play.table.seats]
    assert sorted(places) == [1, 2, 3, 4]
    assert places == list(play.table.proof().seating or ())
    for number, place in enumerate(places):
        assert play.table.seat_of_place(place) == number


def test_nobody_sits_down_where_somebody_sits() -> None:
    play = Play(("human", "open", "open"))
    with refusal("seat_taken"):
        play.draft().take_seat("Bo", 0, "")
    with refusal("not_found"):
        play.draft().take_seat("Bo", 3, "")
    with refusal("unknown_bot"):
        play.draft().seat_to_bot(1, "nobody", BOTS)


def test_nobody_joins_a_game_that_runs() -> None:
    play = Play()
    with refusal("already_started"):
        play.draft().take_seat("Bo", None, "")
    with refusal("already_started"):
        play.draft().seat_to_bot(1, "foreman", BOTS)


@pytest.mark.parametrize(
    "name", ["", "   ", "\u200b", "a\nb", "a\x00b", "\u202eab", "x" * 25, "\ud800"]
)
def test_a_name_is_short_and_printable(name: str) -> None:
    with refusal("bad_name"):
        clean_name(name)


@pytest.mark.parametrize(
    "name",
    [
        *("A\u200bna", "\u2060Ana", "Ana\ufeff", "\u3164", "\u2800", "An\u00ada", "\U000e0041Ana"),
        *("\u200dAna", "Ana\u0301\u0301\u0301\u0301\u0301", "\u0301", "Ana\ue000", "A\u034fna"),
    ],
)
def test_nothing_is_hidden_in_a_name(name: str) -> None:
    """Such names can be read as another one, or not at all."""
    with refusal("bad_name"):
        clean_name(name)


@pytest.mark.parametrize(
    "other",
    ["Ana", "ana", " A n a", "\uff21na", "\u0410na", "An\u0430", "A\u200dna"],
)
def test_two_at_a_table_do_not_look_the_same(other: str) -> None:
    """Letters of other alphabets, widths and cases; a bot gives way, a person is told."""
    play = Play(["open"] * 4)
    draft = play.draft()
    draft.take_seat("Ana", None, "")
    with refusal("name_taken"):
        draft.take_seat(other, None, "")
    draft.take_seat("Anna", None, "")
    draft.take_seat("Foreman", None, "")
    draft.seat_to_bot(3, "foreman", BOTS)
    assert draft.table.seats[3].name == "Foreman 2"


def test_a_bot_keeps_the_spelling_of_its_name() -> None:
    """Packages of others may have bots with capitals inside their names; 24 letters are shown."""
    names = ("alphaBuilder", "x" * 30)
    draft = Play(["open"] * 4).draft()
    for seat in range(4):
        draft.place_bot(seat, names[seat // 2], frozenset(names))
    shown = [seat.name for seat in draft.table.seats]
    assert shown == ["AlphaBuilder", "AlphaBuilder 2", "X" + "x" * 23, "X" + "x" * 21 + " 2"]


@pytest.mark.parametrize(
    ("language", "names"),
    [("de", ["Vorarbeiter", "Foreman 2", "Vorarbeiter 3"]), ("fr", ["Contremaître", "Foreman 2"])],
)
def test_only_bots_are_named_in_the_language_of_their_reader(
    language: str, names: list[str]
) -> None:
    """A person who is called like a bot keeps that name, and the bot has another number."""
    draft = Play(["open"] * 4).draft()
    draft.seat_to_bot(0, "foreman", BOTS)
    draft.take_seat("Foreman 2", None, "")
    draft.seat_to_bot(2, "foreman", BOTS)
    assert [seat.bot_number for seat in draft.table.seats] == [1, None, 3, None]
    assert seat_names(draft.table, language)[: len(names)] == names


@pytest.mark.parametrize("name", ["Hal", "Foreman II", "Foreman 02", "Foreman 2 ", "foreman"])
def test_a_bot_under_any_other_name_keeps_it_in_every_language(name: str) -> None:
    """A log may come from elsewhere."""
    play = Play(["open"] * 3)
    draft = play.draft()
    draft.add(SeatToBot(1, name, "foreman"))
    assert draft.table.seats[0].bot_number is None
    assert seat_names(draft.table, "de")[0] == name


@pytest.mark.parametrize("name", ["Ana", "  Bo ", "Zoë O’Neill", "李雷", "x" * 24, "❤️ Bo"])
def test_names_of_people_are_accepted(name: str) -> None:
    assert clean_name(name) == name.strip()


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"board": "nowhere"}, "unknown_board"),
        ({"board": "industria"}, "bad_options"),
        ({"rules": {"late_draws": "never"}}, "bad_options"),
        ({"rules": {"industria_hands": "open"}}, "bad_options"),
        ({"players": 3}, "bad_options"),
    ],
)
def test_a_table_with_impossible_options_is_not_made(options: dict[str, object], code: str) -> None:
    """Rulings, table L: an option of the other edition is refused."""
    with refusal(code):
        Play(("human",) * 4, **options)


# Taking back (J1)


def test_the_last_move_of_ones_own_is_taken_back() -> None:
    play = Play(auto_forced=False)
    before = play.table.record()
    seat = play.actor
    line = play.legal()[0]
    play.move(line)
    assert play.table.undoable(seat - 1) is not None
    draft = play.draft()
    draft.undo(seat - 1)
    play.keep(draft)
    assert play.table.record() == before
    assert play.actor == seat
    assert play.entries[-1].what.kind == "undone"
    play.move(line)


def test_several_moves_of_ones_own_are_taken_back_one_by_one() -> None:
    play = Play(auto_forced=False)
    seat = play.actor
    play.move(f"{seat} subsidy")
    play.move(f"{seat} offer {play.legal()[0].split()[2]}")
    for left in (2, 1):
        draft = play.draft()
        draft.undo(seat - 1)
        play.keep(draft)
        assert len(play.table.lines) == left
    with refusal("nothing_to_undo"):
        play.draft().undo(seat - 1)


def test_nothing_is_taken_back_once_another_seat_has_decided() -> None:
    play = Play(auto_forced=False)
    first = play.actor
    play.move(play.legal()[0])
    second = play.actor
    play.move(f"{second} pass")
    assert play.table.undoable(first - 1) is None
    with refusal("nothing_to_undo"):
        play.draft().undo(first - 1)
    assert play.table.undoable(second - 1) is not None


def test_nothing_is_taken_back_past_a_draw() -> None:
    play = Play(auto_forced=False)
    rng = Random(3)
    draws = len(play.moves("chance"))
    while len(play.moves("chance")) == draws:
        seat = play.actor
        play.move(rng.choice(play.legal()))
    assert all(play.table.undoable(other) is None for other in range(4))
    with refusal("nothing_to_undo"):
        play.draft().undo(seat - 1)


def test_automatic_moves_go_back_with_the_move_that_led_to_them() -> None:
    play = Play()
    rng = Random(0)
    while True:
        before = play.table.record()
        seat = play.actor
        play.move(rng.choice(play.legal()))
        if play.table.played and play.table.played[-1].how == "automatic":
            break
    draft = play.draft()
    draft.undo(seat - 1)
    play.keep(draft)
    assert play.table.record() == before
    assert play.actor == seat


def test_undo_can_be_off_and_ends_with_the_game() -> None:
    play = Play(undo="off", auto_forced=False)
    seat = play.actor
    play.move(play.legal()[0])
    with refusal("undo_off"):
        play.draft().undo(seat - 1)
    play = Play(auto_forced=False)
    play.play_on(Random(2))
    with refusal("game_over"):
        play.draft().undo(0)


def test_taking_back_never_changes_what_will_be_drawn() -> None:
    """One key per era: the order does not depend on what happened."""
    one, other = Play(auto_forced=False), Play(auto_forced=False)
    rng = Random(9)
    for _ in range(12):
        line = rng.choice(one.legal())
        one.move(line)
        other.move(line)
        seat = next((s for s in range(4) if other.table.undoable(s) is not None), None)
        if seat is not None:
            draft = other.draft()
            draft.undo(seat)
            other.keep(draft)
            other.move(line)
    one.play_on(Random(1))
    other.play_on(Random(1))
    assert one.table.record().moves == other.table.record().moves


# Forced moves (J4)


@pytest.mark.parametrize(("edition", "players"), GAMES)
def test_only_forced_moves_are_automatic_and_all_of_them(edition: str, players: int) -> None:
    """The record has the same lines either way."""
    auto = Play(("human",) * players, edition=edition)
    asked = Play(("human",) * players, edition=edition, auto_forced=False)
    rng = Random(11)
    while auto.table.status == "running":
        assert len(auto.legal()) > 1, "a single legal move is nobody's decision"
        auto.move(rng.choice(auto.legal()), after=1000)
    for line in auto.table.lines:
        if not line.startswith("draw") and asked.table.lines != auto.table.lines:
            asked.move(line)
    assert asked.table.lines == auto.table.lines
    assert not asked.moves("automatic")
    kinds = {line.split()[1] for line in auto.moves("automatic")}
    assert {"offer", "pass", "done"} <= kinds <= {"offer", "pass", "done", "sell"}


def test_no_move_is_forced_while_a_subsidy_would_open_another() -> None:
    """Ruling F2's trap: a bid, a claim or a development that 3 Talers more would allow."""
    checked = 0
    for seed in range(4):
        play = Play(auto_forced=False)
        rng = Random(seed)
        while play.table.status == "running":
            position = play.table.position
            assert position is not None
            main = [line for line in play.legal() if not line.endswith("subsidy")]
            if len(main) == 1 and position.phase != Phase.OFFER:
                twin = Play.__new__(Play)
                twin.__dict__.update(play.__dict__)
                twin.steps = []
                twin.table = play.table.copy()
                twin.table.options = play.table.options.model_copy(update={"auto_forced": True})
                draft = twin.draft()
                draft.settle()
                forced = bool(draft.steps)
                subsidy = f"{play.actor} subsidy"
                if subsidy in play.legal():
                    richer = Play.__new__(Play)
                    richer.__dict__.update(play.__dict__)
                    richer.steps = []
                    richer.move(subsidy)
                    assert forced == (richer.legal() == main)
                    checked += not forced
                else:
                    assert forced
            play.move(rng.choice(main), after=1000)
    assert checked


# Absence (J2, J3)


def test_an_absent_player_passes_offers_the_first_field_sells_and_develops_nothing() -> None:
    play = Play(auto_forced=False)
    draft = play.draft()
    draft.leave(0)
    play.keep(draft)
    play.play_on(Random(4))
    stand_in = play.moves("zombie")
    assert {line.split()[1] for line in stand_in} == {"pass", "offer", "sell", "done"}
    assert all(line.startswith("1 ") for line in stand_in)
    assert play.table.status == "over"
    assert play.table.record().result is not None


def test_a_seat_that_is_not_asked_stays_as_it_is_when_its_holder_leaves() -> None:
    play = Play(auto_forced=False)
    idle = play.actor % 4
    draft = play.draft()
    draft.leave(idle)
    play.keep(draft)
    assert play.kinds(1) == ["absent"]
    assert play.table.seats[idle].absent == "left"


def test_who_was_absent_may_return_at_any_decision() -> None:
    play = Play(auto_forced=False)
    idle = play.actor % 4
    draft = play.draft()
    draft.leave(idle)
    play.keep(draft)
    draft = play.draft()
    draft.come_back(idle)
    play.keep(draft)
    assert play.table.seats[idle].absent is None
    with refusal("not_absent"):
        play.draft().come_back(idle)


def test_a_move_of_an_absent_player_brings_him_back() -> None:
    play = Play(auto_forced=False, zombie="bot")
    seat = play.actor
    draft = play.draft()
    draft.leave(seat - 1)
    play.keep(draft)
    assert play.actor == seat, "a bot would have to be asked"
    play.move(play.legal()[0])
    assert play.kinds(2) == ["returned", "move"]


def test_who_resigns_never_returns_and_the_game_goes_on() -> None:
    """Ruling J3."""
    play = Play(auto_forced=False)
    draft = play.draft()
    draft.resign(0)
    play.keep(draft)
    place = play.table.seats[0].place
    assert play.table.seat_of_place(place) is None
    play.play_on(Random(6))
    assert play.table.status == "over"


def test_leaving_before_the_start_opens_the_seat() -> None:
    play = Play(("human", "human", "open"))
    draft = play.draft()
    draft.leave(1)
    play.keep(draft)
    assert play.table.seats[1].kind == "open"
    assert play.table.status == "open"


def test_where_everyone_has_left_the_game_goes_on_slowly_and_ends() -> None:
    """P13: it finishes, but somebody who comes back soon still finds it running."""
    play = Play(auto_forced=False)
    for seat in range(4):
        draft = play.draft()
        draft.leave(seat)
        play.keep(draft)
    assert play.table.status == "running"
    turns = 0
    while play.table.status == "running":
        pending = play.table.pending_action()
        assert pending is not None
        assert not play.draft().time_out(), "not before its time"
        play.now = pending.at
        draft = play.draft()
        assert draft.time_out()
        play.keep(draft)
        turns += 1
    assert turns > 100


# Rematch


def test_a_rematch_is_asked_for_after_the_end_only() -> None:
    play = Play()
    with refusal("not_over"):
        play.draft().rematch(0, "zzzzzzzzzzzz")
    play.play_on(Random(8))
    draft = play.draft()
    draft.rematch(0, "zzzzzzzzzzzz")
    play.keep(draft)
    assert play.table.next_table == "zzzzzzzzzzzz"
