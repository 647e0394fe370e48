"""The table of refusals: for every fault a position and a move that is refused for it."""

from dataclasses import dataclass

from industry import BoardSpec
from industry.boards.spec import FIELD_INDEX
from industry.engine import Develop, Fault, Kind, Move, Phase, Source

from .positions import HARBOUR, WORKSHOP, Scene, scene


@dataclass(frozen=True)
class Case:
    """A refused move; `numbers` are those that a person must hear of, seats and fields from 0."""

    fault: Fault
    text: str
    move: str | Move
    rule: str
    numbers: dict[str, object]
    helps: str = ""
    board: BoardSpec = WORKSHOP
    before: tuple[str, ...] = ()
    """Moves that lead from the text to the position of the refusal."""

    def __str__(self) -> str:
        return self.fault.name

    @property
    def at(self) -> Scene:
        return scene(self.text, self.board).play(*self.before)


def fields(names: str) -> tuple[int, ...]:
    return tuple(FIELD_INDEX[name] for name in names.split())


OVER = "era 5, over; talers 5 3 4; gone the rest"
DRAW = "era 2, draw; talers 5 3 4; gone 2A 2B 2C 2D 2E 2F"
OFFER = "era 2, offer, seat 1; talers 5 3 4; available 2A 2F; gone 2B"
BID = "era 1, bid on 1F, seat 3; talers 9 9 5; seat 2: bid 2"
DEVELOP = "era 2, develop, seat 1; talers 2 3 4"
NEED = f"{DEVELOP}; seat 1: 2E undeveloped"
TURN = (
    "era 2, develop, seat 1; talers 9 3 4; seat 1: 1E undeveloped, 1F undeveloped, 1G undeveloped"
)

CASES = [
    # whose decision it is
    Case(Fault.GAME_OVER, OVER, "1 done", "turn.order", {"seat": 0}),
    Case(Fault.DRAW_DUE, DRAW, "2 done", "turn.order", {"seat": 1}, "draw_due"),
    Case(
        Fault.NOT_YOUR_DECISION,
        OFFER,
        "2 offer 2A",
        "turn.order",
        {"seat": 1, "actor": 0, "phase": Phase.OFFER},
        "not_your_decision",
    ),
    Case(
        Fault.NOT_THIS_DECISION,
        OFFER,
        "1 pass",
        "turn.order",
        {"seat": 0, "phase": Phase.OFFER},
        "phase_offer",
    ),
    Case(Fault.NO_SEAT, OFFER, "4 offer 2A", "turn.order", {"seat": 3, "players": 3}),
    # drawing
    Case(Fault.NO_DRAW_DUE, OFFER, "draw 2C 2D 2E", "draw.token", {}, "no_draw_due"),
    Case(
        Fault.DRAW_OTHER_ERA,
        DRAW,
        "draw 2G 2H 3I",
        "draw.token",
        {"drawn": fields("2G 2H 3I"), "era": 1, "bag": fields("2G 2H 2I 2J 2K 2L")},
        "draw_other_era",
    ),
    Case(
        Fault.DRAW_NOT_IN_BAG,
        DRAW,
        "draw 2G 2H 2A",
        "draw.token",
        {"drawn": fields("2G 2H 2A"), "bag": fields("2G 2H 2I 2J 2K 2L")},
        "draw_not_in_bag",
    ),
    Case(
        Fault.DRAW_TWICE,
        DRAW,
        "draw 2G 2H 2G",
        "draw.round",
        {"drawn": fields("2G 2H 2G"), "needed": 3},
        "draw_twice",
    ),
    Case(
        Fault.DRAW_COUNT,
        DRAW,
        "draw 2G 2H",
        "draw.count",
        {"count": 2, "needed": 3, "bag": fields("2G 2H 2I 2J 2K 2L")},
        "draw_count",
    ),
    # auction
    Case(
        Fault.OFFER_OTHER_ERA,
        OFFER,
        "1 offer 1A",
        "auction.offer.available",
        {"field": 0, "era": 1, "available": fields("2A 2F")},
        "offer_other_era",
    ),
    Case(
        Fault.OFFER_NOT_DRAWN,
        OFFER,
        "1 offer 2C",
        "auction.offer.available",
        {"field": 14, "available": fields("2A 2F")},
        "offer_not_drawn",
    ),
    Case(
        Fault.OFFER_GONE,
        OFFER,
        "1 offer 2B",
        "auction.offer.available",
        {"field": 13, "available": fields("2A 2F")},
        "offer_gone",
    ),
    Case(
        Fault.BID_TOO_LOW,
        BID,
        "3 bid 0",
        "auction.bid.higher",
        {"seat": 2, "bid": 0, "lowest": 3},
        "bid_too_low",
    ),
    Case(
        Fault.BID_NOT_HIGHER,
        BID,
        "3 bid 2",
        "auction.bid.higher",
        {"seat": 2, "bid": 2, "high_bid": 2, "lowest": 3},
        "bid_not_higher",
    ),
    Case(
        Fault.BID_OVER_PURSE,
        BID,
        "3 bid 8",
        "auction.bid.higher",
        {"seat": 2, "bid": 8, "purse": 5, "lowest": 3},
        "bid_over_purse take_subsidy",
    ),
    Case(
        Fault.CLAIM_TOO_DEAR,
        "era 1, settle 1F, seat 1; talers 2 9 9; seat 3: bid 7",
        "1 claim",
        "auction.claim.afford",
        {"seat": 0, "price": 7, "needed": 5, "purse": 2},
        "claim_too_dear take_subsidy",
    ),
    # development: the field
    Case(
        Fault.DEVELOP_JOKER,
        f"{DEVELOP}; seat 1: joker 1A",
        "1 develop 1A",
        "development.field",
        {"field": 0},
    ),
    Case(
        Fault.DEVELOP_NOT_OWNED,
        f"{DEVELOP}; seat 2: 1E undeveloped",
        "1 develop 1E",
        "development.field",
        {"seat": 0, "field": 4, "owner": 1},
        "develop_not_owned",
    ),
    Case(
        Fault.DEVELOP_TWICE,
        f"{DEVELOP}; seat 1: 1E developed",
        "1 develop 1E",
        "development.field",
        {"field": 4},
    ),
    Case(
        Fault.DEVELOP_LAPSED,
        f"{DEVELOP}; seat 1: 1L lapsed",
        "1 develop 1L",
        "development.field",
        {"field": 11, "era": 1},
    ),
    Case(
        Fault.DEVELOP_LIMIT,
        TURN,
        "1 develop 1G",
        "development.limit",
        {"seat": 0, "limit": 2},
        "develop_limit",
        before=("1 develop 1E", "1 develop 1F"),
    ),
    Case(
        Fault.DEVELOP_KIND_LIMIT,
        TURN,
        "1 develop 1F",
        "development.limit",
        {"seat": 0, "kind": Kind.FACTORY},
        "develop_kind_limit",
        board=HARBOUR,
        before=("1 develop 1E",),
    ),
    # development: the resources
    Case(
        Fault.OWN_PRODUCT,
        f"{NEED}, 1E developed",
        "1 develop 2E wood=bank",
        "development.resource",
        {"resource": 2, "source": Source.BANK, "ways": (Source.OWN,)},
        "own_product",
    ),
    Case(
        Fault.NO_OWN_FACTORY,
        NEED,
        "1 develop 2E wood=own",
        "development.resource",
        {"resource": 2, "source": Source.OWN, "ways": (Source.BANK,)},
        "use_source",
    ),
    Case(
        Fault.NO_SELLER,
        f"{NEED}; seat 3: 1E developed",
        "1 develop 2E wood=2",
        "development.resource",
        {"resource": 2, "source": Source.SEAT + 1, "sellers": (2,), "ways": (Source.SEAT + 2,)},
        "use_source",
    ),
    Case(
        Fault.SELLER_IS_SELF,
        NEED,
        "1 develop 2E wood=1",
        "development.resource",
        {"seat": 0, "resource": 2, "ways": (Source.BANK,)},
        "use_source",
    ),
    Case(
        Fault.NO_SUCH_SEAT,
        NEED,
        "1 develop 2E wood=4",
        "development.resource",
        {"resource": 2, "ways": (Source.BANK,)},
        "use_source",
    ),
    Case(
        Fault.BANK_CLOSED,
        f"{NEED}; seat 2: 1E developed; seat 3: 1F developed",
        "1 develop 2E wood=bank",
        "development.resource",
        {"resource": 2, "sellers": (1, 2), "ways": (Source.SEAT + 1, Source.SEAT + 2)},
        "use_source",
    ),
    Case(
        Fault.BANK_NOT_YET,
        f"{DEVELOP}; seat 1: 2J undeveloped",
        "1 develop 2J iron=bank",
        "development.resource",
        {"resource": 5, "bank_era": 2, "ways": ()},
        "no_source",
    ),
    Case(
        Fault.NO_JOKER,
        f"{NEED}, joker 1A",
        "1 develop 2E wood=joker",
        "development.resource",
        {"seat": 0, "resource": 2, "ways": (Source.BANK, Source.ANY)},
        "use_source",
    ),
    Case(
        Fault.NO_ANY_JOKER,
        f"{NEED}, joker 1B",
        "1 develop 2E wood=any",
        "development.resource",
        {"seat": 0, "resource": 2, "ways": (Source.BANK, Source.JOKER)},
        "use_source",
    ),
    # development: the payment
    Case(
        Fault.NOT_ENOUGH_JOKERS,
        f"{DEVELOP}; seat 1: 2H undeveloped, joker 1A",
        "1 develop 2H stone=any glass=any",
        "development.payment",
        {"seat": 0, "any_jokers": 1, "missing": 0},
        "not_enough_jokers",
    ),
    Case(
        Fault.NEEDS_MISMATCH,
        f"{DEVELOP}; seat 1: 2H undeveloped",
        Develop(0, 19, (Source.BANK,)),
        "development.payment",
        {"field": 19, "needs": (0, 4)},
        "needs_mismatch",
    ),
    Case(
        Fault.TOO_FEW_TALERS,
        f"{DEVELOP}; seat 1: 2I undeveloped",
        "1 develop 2I wood=bank",
        "development.payment",
        {"field": 20, "cost": 4, "resources": 1, "total": 5, "purse": 2, "missing": 3},
        "too_few_talers take_subsidy",
    ),
    # subsidy and raw material
    Case(Fault.SUBSIDY_EDITION, DEVELOP, "1 subsidy", "subsidy.once", {"seat": 0}, board=HARBOUR),
    Case(
        Fault.SUBSIDY_TAKEN, f"{DEVELOP}; seat 1: subsidy", "1 subsidy", "subsidy.once", {"seat": 0}
    ),
    Case(
        Fault.SUBSIDY_NOT_NOW,
        DEVELOP,
        "2 subsidy",
        "subsidy.timing",
        {"seat": 1, "actor": 0},
        "subsidy_not_now",
    ),
    Case(
        Fault.CASH_EDITION, f"{DEVELOP}; seat 1: joker 1A", "1 cash 1A", "cash.tile", {"field": 0}
    ),
    Case(
        Fault.CASH_OFF,
        f"{DEVELOP}; seat 1: joker 1A",
        "1 cash 1A",
        "cash.tile",
        {"field": 0},
        board=HARBOUR,
    ),
    Case(
        Fault.CASH_NOT_HELD,
        f"{DEVELOP}; seat 2: joker 1A; option resource_cash",
        "1 cash 1A",
        "cash.tile",
        {"seat": 0, "field": 0},
        board=HARBOUR,
    ),
]
