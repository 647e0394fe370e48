"""The rules of Industry and Industria, without files, clocks or randomness.

A `Position` knows its legal moves; `play` turns a position and a move into the next position and
the events that people at the table would see. A draw is a move too, which the caller supplies.

Every package but `bots`, `envs` and `judge.lines` imports the engine from here. Those three run
inside the compiled rules and import the modules that they are compiled with. The names that need
Numba are imported on first use, so that only their users wait for it.
"""

from typing import TYPE_CHECKING

from . import move_codes as move_codes
from . import rules as rules
from .board import Board
from .compile_progress import CompileListener, watch_compiling
from .constants import (
    ANY_RESOURCE,
    BANK,
    CASH_TALERS,
    COIN_TALERS,
    COLUMN_LETTERS,
    COLUMNS,
    ERAS,
    FIELDS,
    LINK_POINTS,
    LOWEST_BID,
    MAX_NETWORKS,
    MAX_SEATS,
    NO_FIELD,
    NO_NETWORK,
    NO_RESOURCE,
    NOBODY,
    RESOURCES,
    SOURCES,
    SUBSIDY_POINTS,
    SUBSIDY_TALERS,
    Edition,
    Kind,
    Part,
    Phase,
    Reason,
    Source,
    Status,
    Token,
    field_id,
)
from .dispatch import apply_move, list_moves, list_ways, new_move_list
from .events import (
    AuctioneerChanged,
    BidMade,
    BidPassed,
    EraChanged,
    Event,
    FieldClaimed,
    FieldDeveloped,
    FieldOffered,
    FieldSold,
    FieldTaken,
    GameEnded,
    PointsScored,
    ResourceProvided,
    RoundStarted,
    StartingPlayerChanged,
    SubsidyTaken,
    TalersMoved,
    TechnologyLapsed,
    TileCashed,
    TokensDrawn,
    TurnEnded,
    event_of,
)
from .faults import Fault
from .moves import (
    Bid,
    Cash,
    Claim,
    Develop,
    Done,
    Draw,
    Move,
    Offer,
    Pass,
    PlayerMove,
    Sell,
    Subsidy,
    code_of,
    move_of,
    player_move_of,
    seat_of,
)
from .playout import random_draw, recorded_playout
from .position import (
    Breakdown,
    Options,
    Position,
    advance,
    award_field,
    play,
    start,
    start_with_events,
)
from .refusal import IllegalMove, Number, Refusal
from .rule import RULES, Rule
from .rules.auction import claim_purse, claim_share
from .rules.development import (
    bank_sells,
    construction_cost,
    development_points,
    produces,
    resource_price,
    source_fault,
    total_price,
)
from .rules.draw import draw_count
from .rules.era import is_last_era, last_era
from .rules.scoring import (
    bonus_points,
    connected_factories,
    developed_count,
    has_developed,
    is_ahead,
    joker_points,
    link_points,
    money_points,
    subsidy_points,
)
from .rules.turn import left_of
from .state import State

if TYPE_CHECKING:
    from .compiled import (
        can_cache,
        compiled_rules,
        digests,
        dtype_of,
        expect_compiling,
        generators,
        is_compiled,
        new_moves,
        record_of,
    )
else:

    def __getattr__(name: str) -> object:
        """Imports the compiled rules, and with them Numba, on first use."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from . import compiled

        return getattr(compiled, name)


__all__ = [
    "ANY_RESOURCE",
    "BANK",
    "CASH_TALERS",
    "COIN_TALERS",
    "COLUMNS",
    "COLUMN_LETTERS",
    "ERAS",
    "FIELDS",
    "LINK_POINTS",
    "LOWEST_BID",
    "MAX_NETWORKS",
    "MAX_SEATS",
    "NOBODY",
    "NO_FIELD",
    "NO_NETWORK",
    "NO_RESOURCE",
    "RESOURCES",
    "RULES",
    "SOURCES",
    "SUBSIDY_POINTS",
    "SUBSIDY_TALERS",
    "AuctioneerChanged",
    "Bid",
    "BidMade",
    "BidPassed",
    "Board",
    "Breakdown",
    "Cash",
    "Claim",
    "CompileListener",
    "Develop",
    "Done",
    "Draw",
    "Edition",
    "EraChanged",
    "Event",
    "Fault",
    "FieldClaimed",
    "FieldDeveloped",
    "FieldOffered",
    "FieldSold",
    "FieldTaken",
    "GameEnded",
    "IllegalMove",
    "Kind",
    "Move",
    "Number",
    "Offer",
    "Options",
    "Part",
    "Pass",
    "Phase",
    "PlayerMove",
    "PointsScored",
    "Position",
    "Reason",
    "Refusal",
    "ResourceProvided",
    "RoundStarted",
    "Rule",
    "Sell",
    "Source",
    "StartingPlayerChanged",
    "State",
    "Status",
    "Subsidy",
    "SubsidyTaken",
    "TalersMoved",
    "TechnologyLapsed",
    "TileCashed",
    "Token",
    "TokensDrawn",
    "TurnEnded",
    "advance",
    "apply_move",
    "award_field",
    "bank_sells",
    "bonus_points",
    "can_cache",
    "claim_purse",
    "claim_share",
    "code_of",
    "compiled_rules",
    "connected_factories",
    "construction_cost",
    "developed_count",
    "development_points",
    "digests",
    "draw_count",
    "dtype_of",
    "event_of",
    "expect_compiling",
    "field_id",
    "generators",
    "has_developed",
    "is_ahead",
    "is_compiled",
    "is_last_era",
    "joker_points",
    "last_era",
    "left_of",
    "link_points",
    "list_moves",
    "list_ways",
    "money_points",
    "move_codes",
    "move_of",
    "new_move_list",
    "new_moves",
    "play",
    "player_move_of",
    "produces",
    "random_draw",
    "record_of",
    "recorded_playout",
    "resource_price",
    "seat_of",
    "source_fault",
    "start",
    "start_with_events",
    "subsidy_points",
    "total_price",
    "watch_compiling",
]
