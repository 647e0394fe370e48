"""Fuzzed games with standing orders, and the same moves typed by hand."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random

from industry.boards import BoardSpec, load_board
from industry.engine import (
    FIELDS,
    Draw,
    Move,
    Options,
    Position,
    State,
    advance,
    field_id,
    start,
)
from industry.notation import read_move, write_move
from industry.notation.orders import (
    BidOrder,
    CashOrder,
    DevelopOrder,
    OfferOrder,
    Order,
    OrderList,
    SettleOrder,
    SubsidyOrder,
    WakeOrder,
    applied,
    read_orders,
    write_orders,
)

KINDS = ("any", "any", "joker", "bonus", "factory", "technology")


@cache
def board_of(edition: str) -> BoardSpec:
    return load_board(edition)


def anything(rng: Random) -> str:
    return rng.choice(KINDS) if rng.random() < 0.7 else field_id(rng.randrange(FIELDS))


def anythings(rng: Random) -> tuple[str, ...]:
    return tuple(anything(rng) for _ in range(rng.randint(1, 5)))


def random_order(rng: Random) -> Order:
    """Any order that people can make."""
    era = rng.randint(1, 5) if rng.random() < 0.3 else None
    amount = rng.randint(0, 9)
    match rng.randrange(7):
        case 0:
            return BidOrder(anything(rng), amount, rng.random() < 0.5, era)
        case 1:
            return SettleOrder(anything(rng), amount, era)
        case 2:
            return OfferOrder(anythings(rng), era)
        case 3:
            fields = anythings(rng) if rng.random() < 0.8 else ()
            return DevelopOrder(fields, rng.randint(0, 3), rng.random() < 0.5, era)
        case 4:
            return SubsidyOrder(amount, era)
        case 5:
            return CashOrder(anythings(rng), amount, era)
        case _:
            return random_wake(rng, era)


def random_wake(rng: Random, era: int | None) -> WakeOrder:
    conditions: dict[str, str | int] = {
        "what": anything(rng),
        "price_above": rng.randint(0, 9),
        "auctioneer": rng.randint(1, 4),
        "bidder": rng.randint(1, 4),
        "talers_below": rng.randint(0, 9),
        "after_round": rng.randint(0, 20),
    }
    given = rng.sample(sorted(conditions), rng.randint(1, 3))
    return WakeOrder(era=era, **{name: conditions[name] for name in given})  # type: ignore[arg-type]


def random_orders(rng: Random) -> OrderList:
    return tuple(random_order(rng) for _ in range(rng.randint(0, 7)))


@dataclass
class OrderedGame:
    """A game as it was played, and which of its moves were made by which orders."""

    board: BoardSpec
    first: Position
    lines: list[str] = field(default_factory=list)
    by_order: dict[int, str] = field(default_factory=dict)
    """The orders, as text, of the seat whose order made the move of this number."""
    woken: int = 0
    digest: str = ""


def first_position(rng: Random, board: BoardSpec) -> Position:
    industry = board.edition == "industry"
    options = Options(
        plain_draws=industry and rng.random() < 0.2,
        full_price=industry and rng.random() < 0.2,
        any_time=industry and rng.random() < 0.2,
        resource_cash=not industry and rng.random() < 0.5,
    )
    players = rng.choice((3, 4))
    return start(board.rules, players, rng.randrange(players), options)


def ordered_game(seed: int) -> OrderedGame:
    """Plays a game in which orders decide if they apply, and chance otherwise.

    Now and then a seat changes its orders, even if another one must decide.
    """
    rng = Random(seed)
    board = board_of(rng.choice(("industry", "industria")))
    first = first_position(rng, board)
    game = OrderedGame(board, first)
    state = first.state.copy()
    orders = [random_orders(rng) for _ in range(state.players)]
    while True:
        position = Position(board.rules, state)
        if position.is_over:
            break
        move: Move
        if position.draw_due:
            move = Draw(tuple(sorted(rng.sample(position.bag, position.draw_count))))
        else:
            if rng.random() < 0.05:
                orders[rng.randrange(state.players)] = random_orders(rng)
            move = decided(game, position, orders[position.actor], rng)
        game.lines.append(write_move(move, board))
        state.events.clear()
        advance(board.rules, state, move)
    game.digest = Position(board.rules, state).digest()
    return game


def decided(game: OrderedGame, position: Position, orders: OrderList, rng: Random) -> Move:
    found = applied(position, orders)
    if found is not None and found.move is not None:
        game.by_order[len(game.lines)] = write_orders(orders)
        return found.move
    game.woken += found is not None
    return rng.choice(position.legal_moves)


def differences(game: OrderedGame) -> Iterator[str]:
    """Types the same moves by hand; yields whatever turns out otherwise."""
    board, state = game.board, game.first.state.copy()
    for number, line in enumerate(game.lines):
        position = Position(board.rules, state)
        move = read_move(line, board)
        refusal = position.refusal(move)
        if refusal is not None:
            yield f"{number} {line}: {refusal}"
            return
        if number in game.by_order:
            found = applied(position, read_orders(game.by_order[number]))
            if found is None or found.move != move:
                yield f"{number} {line}: typed, the orders say {found}"
        forget(state)
        advance(board.rules, state, move)
    if Position(board.rules, state).digest() != game.digest:
        yield "the end differs"


def forget(state: State) -> None:
    state.events.clear()
