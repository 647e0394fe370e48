"""What is seen of a position is right, complete, and in the form that the protocol states."""

from random import Random

import pytest
from pydantic import TypeAdapter

from industry.boards import load_board
from industry.engine import Position
from industry.engine.events import Event
from industry.engine.raw_events import EventKind
from industry.notation import Game, new_game
from industry.server.board_info import board_info
from industry.server.game_view import ViewCache, game_changes, game_view, hand_of
from industry.server.previews import choices_of, field_report
from industry.server.protocol.events import GameEvent
from industry.server.protocol.server import Prospects, Worth
from industry.server.protocol.view import Choice, GameView
from industry.server.wire_events import wire_event

from .applying import game_applied

EDITIONS = ("industry", "industria")
GAMES = [(edition, players) for edition in EDITIONS for players in (3, 4)]
EVENT: TypeAdapter[GameEvent] = TypeAdapter(GameEvent)


def seeded_game(edition: str, players: int, seed: int, options: dict[str, str]) -> Game:
    names = [f"P{n}" for n in range(players)]
    return new_game(names, edition=edition, seed=seed, options=options)


def step(game: Game, rng: Random) -> tuple[Event, ...]:
    if game.position.draw_due:
        game.draw()
    else:
        game.play(rng.choice(game.position.legal_moves))
    return game.events[-1]


@pytest.mark.parametrize(("edition", "players"), GAMES)
def test_a_view_has_exactly_the_form_of_its_model(edition: str, players: int) -> None:
    game, rng = seeded_game(edition, players, 1, {}), Random(1)
    while not game.is_over:
        step(game, rng)
        view = game_view(game.position, len(game.moves), game.board, closed=False).view
        assert GameView.model_validate(view).model_dump() == view


@pytest.mark.parametrize(("edition", "players"), GAMES)
@pytest.mark.parametrize("closed", [False, True])
def test_a_view_made_from_the_one_before_is_the_same_as_a_new_one(
    edition: str, players: int, closed: bool
) -> None:
    """Also where moves are taken back: then fields lose their owner."""
    game, rng = seeded_game(edition, players, 2, {}), Random(2)
    seen: ViewCache | None = None
    while not game.is_over:
        step(game, rng)
        if rng.random() < 0.1 and len(game.moves) > 3:
            game.undo(rng.randrange(1, 3))
        moves = len(game.moves)
        after = game_view(game.position, moves, game.board, closed, seen)
        assert after.view == game_view(game.position, moves, game.board, closed).view
        if seen is not None:
            assert game_applied(seen.view, game_changes(seen.view, after.view)) == after.view
        seen = after


@pytest.mark.parametrize(("edition", "players"), GAMES)
def test_an_event_has_exactly_the_form_of_its_model(edition: str, players: int) -> None:
    options = {"industria_resource_cash": "on"} if edition == "industria" else {}
    rng, kinds = Random(3), set()
    for seed in range(6):
        game = seeded_game(edition, players, seed, options)
        events = list(game.events[0])
        while not game.is_over:
            events += step(game, rng)
        for event in events:
            wire = wire_event(event, game.board.resources)
            assert EVENT.validate_python(wire).model_dump() == wire
            kinds.add(wire["type"])
    missing = {happening.name.lower() for happening in EventKind} - kinds
    assert missing <= ({"tile_cashed"} if edition == "industry" else {"subsidy_taken"})


def test_the_view_shows_what_people_at_the_table_see() -> None:
    game = new_game(["A", "B", "C"], seed=7, starting_player=1)
    game.draw()
    field = game.legal_moves()[0].split()[2]
    for line in (f"1 offer {field}", "2 bid 2", "3 pass"):
        game.play(line)
    view = game_view(game.position, len(game.moves), game.board, closed=False).view
    assert view["phase"] == "settle"
    assert view["actor"] == view["auctioneer"] == 1
    assert view["auction"] == {
        "field": field,
        "auctioneer": 1,
        "order": [2, 3, 1],
        "bids": [None, 2, 0],
        "high_bid": 2,
        "high_bidder": 2,
    }
    assert field in view["available"]
    assert view["tokens"][field[1]] == "up"
    assert sum(place == "up" for place in view["tokens"].values()) == 3
    game.play("1 sell")
    view = game_view(game.position, len(game.moves), game.board, closed=False).view
    assert view["auction"] is None
    assert view["tokens"][field[1]] == "down"
    assert view["fields"][field]["owner"] == 2


def test_closed_hands_show_only_how_many_tiles_there_are() -> None:
    """Ruling I4: each seat sees its own tiles, everyone sees what is laid out."""
    game, rng = seeded_game("industria", 3, 5, {"industria_hands": "closed"}), Random(5)
    while len(game.moves) < 60:
        step(game, rng)
    open_view = game_view(game.position, 60, game.board, closed=False).view
    view = game_view(game.position, 60, game.board, closed=True).view
    for seat in range(3):
        hand = hand_of(game.position, seat)
        assert len(hand) == view["hands"][seat]
        for tile in hand:
            assert view["fields"][tile] == {"owner": None, "status": "hidden"}
            assert open_view["fields"][tile]["owner"] == seat + 1
    assert sum(view["hands"]) > 0
    assert all(
        field["owner"] is not None or field["status"] == "hidden"
        for field in view["fields"].values()
    )


def test_the_market_names_makers_and_the_banks_era() -> None:
    """Rulings E5 and E9: who makes a resource closes the bank, which opens one era later."""
    game, rng = seeded_game("industry", 4, 4, {}), Random(4)
    made = False
    while not game.is_over:
        step(game, rng)
        view = game_view(game.position, len(game.moves), game.board, closed=False).view
        for number, name in enumerate(game.board.resources):
            market = view["market"][name]
            assert market["bank_era"] == number // 3 + 2
            assert market["bank"] == (not market["makers"] and view["era"] >= market["bank_era"])
            made = made or bool(market["makers"])
    assert made


@pytest.mark.parametrize("edition", EDITIONS)
def test_choices_are_the_legal_moves_with_what_they_really_bring(edition: str) -> None:
    game, rng = seeded_game(edition, 4, 6, {}), Random(6)
    while not game.is_over:
        position: Position = game.position
        if position.draw_due:
            step(game, rng)
            continue
        seat = position.actor
        choices = choices_of(position, game.board, seat)
        assert [choice["line"] for choice in choices] == game.legal_moves()
        choice = rng.choice(choices)
        full = Choice.model_validate(choice).model_dump()
        assert {**full, **choice} == full
        purses, points = position.state.talers[:4], position.state.points[seat]
        game.play(choice["line"])
        after = game.position.state
        assert after.points[seat] - points == choice["points"]
        if after.round_number == position.state.round_number:
            found = [b - a for a, b in zip(purses, after.talers[:4], strict=True)]
            assert found == choice["talers"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_a_field_is_worth_adds_up(edition: str) -> None:
    """Owning and developing a field gives the links and bonuses that were promised."""
    game, rng = seeded_game(edition, 4, 8, {}), Random(8)
    while not game.is_over:
        step(game, rng)
        for field in rng.sample(game.board.fields, 2):
            report = field_report(game.position, game.board, field.id)
            assert Prospects.model_validate(report["prospects"]).model_dump() == report["prospects"]
            for worth in report["worth"]:
                assert Worth.model_validate(worth).model_dump() == worth
                assert worth["links"] % 3 == 0
                assert worth["links"] <= 3 * sum(field.id in ends for ends in game.board.links)
                if field.kind == "joker":
                    assert worth["points"] == (2 if edition == "industry" else 0)
                    assert worth["price"] is None
                    continue
                assert worth["points"] in (0, field.points)
                if worth["price"] is None:
                    assert worth["jokers"] == 0
                else:
                    assert 0 <= worth["price"] <= field.cost + len(field.needs)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_board_is_told_whole_and_with_its_layout(edition: str) -> None:
    board = load_board(edition)
    info = board_info(board)
    assert [field.id for field in info.fields] == [field.id for field in board.fields]
    layout = info.layout
    assert len(layout.card_x) == 12
    assert len(layout.card_y) == 5
    named = {way.name for way in layout.ways}
    assert named == {*board.networks, "road", "line"}
    assert sum(way.name in ("road", "line") for way in layout.ways) == len(board.links)
    for way in layout.ways:
        for line in way.lines:
            for x, y in line:
                assert 0 <= x <= layout.width
                assert 0 <= y <= layout.height
        assert len(way.badges) == (0 if way.name in ("road", "line") else len(way.ends))
