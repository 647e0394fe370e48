"""A game in progress: its moves, the resulting position, and its record."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from industry.boards import BoardSpec, load_board
from industry.engine import (
    Breakdown,
    Draw,
    Event,
    IllegalMove,
    Move,
    Position,
    play,
    start_with_events,
)

from .explain import explain
from .move_text import read_move, write_move
from .options import complete_options, rule_options
from .record import Record, Result, checked_names, new_record, new_result


class Game:
    """A running or finished game. Seats count from 1 in everything that is text."""

    def __init__(
        self,
        board: BoardSpec,
        players: Sequence[str],
        starting_player: int = 1,
        options: Mapping[str, str] | None = None,
        bag: "SeededBag | None" = None,
        bots: Sequence[str] = (),
    ) -> None:
        self.board = board
        self.players = checked_names(players)
        self.starting_player = starting_player
        self.options = complete_options(board.edition, options or {})
        self.bag = bag
        self.bots = tuple(bots)
        """By seat, the name under which a bot is found, or "" for a person; empty where unknown."""
        self.moves: list[Move] = []
        self.events: list[tuple[Event, ...]] = []
        """The events, one entry per move; entry 0 is what came before the first."""
        self._begin()

    def _begin(self) -> None:
        self.position, opening = start_with_events(
            self.board.rules,
            len(self.players),
            self.starting_player - 1,
            rule_options(self.options),
        )
        self.moves = []
        self.events = [opening]

    @property
    def is_over(self) -> bool:
        return self.position.is_over

    @property
    def to_move(self) -> int | None:
        """The seat that must decide, from 1; None where a draw is due or the game is over."""
        return self.position.actor + 1 or None

    def legal_moves(self, seat: int | None = None) -> list[str]:
        """Returns the legal moves of the deciding seat (or another), in plain character order."""
        if seat is None:
            moves = self.position.legal_moves
        else:
            moves = self.position.legal_moves_of(seat - 1)
        return sorted(write_move(move, self.board) for move in moves)

    def play(self, move: Move | str) -> tuple[Event, ...]:
        """Makes a move; raises `IllegalMove` (or `NotationError` for text that is not a move)."""
        if isinstance(move, str):
            move = read_move(move, self.board)
        try:
            self.position, events = play(self.position, move)
        except IllegalMove as error:
            sentence = explain(error.refusal, self.board)
            raise IllegalMove(error.refusal, sentence) from None
        self.moves.append(move)
        self.events.append(events)
        return events

    def draw(self) -> str:
        """Makes the draw that is due from the game's seeded bag; returns its line."""
        if self.bag is None:
            raise ValueError("this game has no bag of its own: play its draws as moves")
        move = self.bag.draw(self.position)
        self.play(move)
        return write_move(move, self.board)

    def undo(self, moves: int = 1) -> None:
        """Undoes the last moves, by replaying all that came before them."""
        if not 0 <= moves <= len(self.moves):
            raise ValueError(f"there are only {len(self.moves)} moves to take back")
        kept = self.moves[: len(self.moves) - moves]
        self._begin()
        for move in kept:
            self.play(move)

    def score(self) -> list[Breakdown]:
        """Returns the points of every seat by their parts, as if the game ended now."""
        return [self.position.breakdown(seat) for seat in range(len(self.players))]

    def winners(self) -> list[int]:
        """Returns the seats that would win (or share the victory) if the game ended now, from 1."""
        return [seat + 1 for seat in self.position.winners()]

    def lines(self) -> list[str]:
        """Returns the moves so far as lines of the record."""
        return [write_move(move, self.board) for move in self.moves]

    def record(self) -> Record:
        """Returns the game record so far; with the result once the game is over."""
        return new_record(
            self.board,
            self.players,
            self.starting_player,
            self.options,
            self.lines(),
            result=self.result() if self.is_over else None,
            bots=self.bots,
        )

    def result(self) -> Result:
        """Returns points, winners and breakdown, as the record states them."""
        return result_of(self.position)


def result_of(position: Position) -> Result:
    """Returns the result of a finished game (or of a running one if it ended now)."""
    parts = tuple(position.breakdown(seat) for seat in range(position.state.players))
    return new_result(parts, position.winners())


class SeededBag:
    """A bag for play without a server: the order of each era depends on the seed alone.

    So undoing a move never changes what will be drawn.
    """

    def __init__(self, seed: int | str) -> None:
        self.seed = seed

    def draw(self, position: Position) -> Draw:
        """Draws the next tokens of the current era, in the order of columns."""
        order = list(range(12))
        Random(f"{self.seed}/era {position.state.era}").shuffle(order)
        bag = {field % 12: field for field in position.bag}
        drawn = [bag[column] for column in order if column in bag][: position.draw_count]
        return Draw(tuple(sorted(drawn)))

    def starting_player(self, players: int) -> int:
        """Returns the Starting Player's seat, drawn at random by the bag's own key (A5)."""
        return Random(f"{self.seed}/starting player").randrange(players) + 1


def new_game(
    players: Sequence[str] = ("Player 1", "Player 2", "Player 3", "Player 4"),
    *,
    edition: str | None = None,
    board: str | BoardSpec | None = None,
    seed: int | str | None = None,
    starting_player: int | None = None,
    options: Mapping[str, str] | None = None,
) -> Game:
    """Returns a game before its first draw.

    `board` is a name or a file and defaults to the edition's own. With a `seed` the game has a bag
    (`Game.draw`) and a Starting Player chosen by it; without one, draws are moves that you play.
    """
    if board is None:
        board = edition or "industry"
    spec = board if isinstance(board, BoardSpec) else load_board(board)
    if edition is not None and edition != spec.edition:
        raise ValueError(f"the board {spec.id} is played with the rules of {spec.edition}")
    bag = None if seed is None else SeededBag(seed)
    if starting_player is None:
        starting_player = bag.starting_player(len(players)) if bag else 1
    return Game(spec, players, starting_player, options, bag)


def _game_before_moves(record: Record, board: BoardSpec) -> Game:
    return Game(board, record.players, record.starting_player, record.options, bots=record.bots)


def replay(record: Record, board: BoardSpec, until: int | None = None) -> Game:
    """Returns the game of a record after its first `until` (or all) moves; raises like `play`."""
    game = _game_before_moves(record, board)
    for line in record.moves[:until]:
        game.play(line)
    return game


def replay_steps(record: Record, board: BoardSpec) -> Iterator[Game]:
    """Yields the same game before the first move and after each."""
    game = _game_before_moves(record, board)
    yield game
    for line in record.moves:
        game.play(line)
        yield game
