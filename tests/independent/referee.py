"""A second referee for Industry (2010) and Industria (2003), written from the contract alone.

It shares no code with the engine and is slow on purpose: a position is a few dictionaries, and a
line is legal when it stands in the list of all legal lines. Numbers such as C3 are rulings.

    python -m tests.independent.referee check BOARD FILE...
    python -m tests.independent.referee legal BOARD FILE --at N
    python -m tests.independent.referee random BOARD --players N --games G --seed S
"""

import argparse
import hashlib
import itertools
import json
import random
import re
import sys
import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

FORMAT = 1
BOARD_FORMATS = (1, 2)
RULES_VERSION = 1
BANK = 0  # the bank's place in the purse book; seats count from 1
COLUMNS = "ABCDEFGHIJKL"
FIELD_IDS = [f"{era}{column}" for era in range(1, 6) for column in COLUMNS]

# L: the rule options of each edition; the first value is the default.
OPTIONS: dict[str, dict[str, tuple[str, str]]] = {
    "industry": {
        "late_draws": ("recommended", "plain"),
        "claim_afford": ("net", "full_price"),
        "subsidy_timing": ("own_decision", "any_time"),
    },
    "industria": {
        "industria_hands": ("open", "closed"),
        "industria_resource_cash": ("off", "on"),
    },
}

PARTS = ("development", "money", "links", "bonuses", "jokers", "subsidy")

DRAW_LINE = re.compile(r"draw((?: [1-5][A-L])+)")
SEAT_LINE = re.compile(
    r"([1-9]) (?:(pass|sell|claim|done|subsidy)"
    r"|(offer|cash) ([1-5][A-L])"
    r"|(bid) (0|[1-9][0-9]{0,8})"
    r"|(develop) ([1-5][A-L])((?: [a-z]+=(?:own|bank|joker|any|[1-9]))*))"
)


def first_eras(edition: str) -> dict[str, int]:
    """The era in which each resource appears; the bank sells it from the next era on (E9)."""
    third = "cable" if edition == "industry" else "electricity"
    names = [["stone", "brick", "wood"], ["ceramic", "glass", "iron"], [third, "steel", "cement"]]
    names.append(["plastic", "computer"])
    return {name: era for era, group in enumerate(names, start=1) for name in group}


# ---------------------------------------------------------------- the board


@dataclass(frozen=True)
class Field:
    """Just what the rules use of a field, under the names of the file."""

    id: str
    kind: str
    cost: int = 0
    needs: tuple[str, ...] = ()
    makes: str | None = None
    points: int = 0
    discount: int = 0
    networks: tuple[str, ...] = ()
    joker: str | None = None
    bonus: tuple[str, int] | None = None

    @property
    def era(self) -> int:
        return int(self.id[0])


@dataclass(frozen=True)
class Board:
    id: str
    edition: str
    coin_columns: tuple[str, ...]
    fields: dict[str, Field]
    links: tuple[tuple[str, str], ...]


def load_board(path: str | Path) -> Board:
    """Read a board file. It trusts the values: judging a board (A1) is not the referee's work."""
    raw = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    readable = any(_same(raw.get("format"), number) for number in BOARD_FORMATS)
    if not readable or raw.get("edition") not in OPTIONS:
        raise ValueError(f"{path}: not a board of format {BOARD_FORMATS}")
    fields = {}
    for entry in raw["field"]:
        used = {key: entry[key] for key in Field.__dataclass_fields__ if key in entry}
        used["needs"] = tuple(entry.get("needs", []))
        used["networks"] = tuple(sorted(entry.get("networks", [])))
        if "bonus" in entry:
            used["bonus"] = (entry["bonus"]["network"], entry["bonus"]["points"])
        fields[entry["id"]] = Field(**used)
    if sorted(fields) != FIELD_IDS or len(raw["field"]) != len(FIELD_IDS):
        raise ValueError(f"{path}: not the 60 fields 1A to 5L")
    ends = sorted(sorted(link["ends"]) for link in raw.get("link", []))
    links = tuple((one, other) for one, other in ends)
    coins = tuple(sorted(raw.get("coin_columns", [])))
    return Board(raw["id"], raw["edition"], coins, dict(sorted(fields.items())), links)


def board_hash(board: Board) -> str:
    """The hash of what the rules use of a board (formats.md)."""
    content = {
        "coin_columns": board.coin_columns,
        "edition": board.edition,
        "fields": [asdict(field) for field in board.fields.values()],
        "format": FORMAT,
        "links": board.links,
    }
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest()


# ---------------------------------------------------------------- the game


def options_fault(edition: str, options: dict[str, Any]) -> str | None:
    """Why these are not the complete rule options of the edition (L)."""
    for name, values in OPTIONS[edition].items():
        if name not in options:
            return f"option {name} is missing"
        if options[name] not in values:
            return f"option {name} must be {' or '.join(values)}, not {options[name]!r}"
    for other in OPTIONS:
        for name in OPTIONS[other]:
            if other != edition and name in options:
                return f"option {name} belongs to {other}"
    return None


class Game:
    """One game from the first income on; lines of the record are its only moves."""

    def __init__(
        self, board: Board, players: int, starting_player: int, options: dict[str, str]
    ) -> None:
        if players not in (3, 4):  # A4
            raise ValueError("a game has 3 or 4 players")
        if not 1 <= starting_player <= players:
            raise ValueError(f"there is no seat {starting_player}")
        wrong = options_fault(board.edition, options)
        if wrong is not None:
            raise ValueError(wrong)
        self.board = board
        self.players = players
        self.seats = list(range(1, players + 1))
        self.options = dict(options)
        self.industria = board.edition == "industria"
        self.last_era = 4 if self.industria and players == 3 else 5  # I1
        self.era = 1
        self.phase = "draw"
        self.starting_player = starting_player
        self.talers = dict.fromkeys([BANK, *self.seats], 0)  # D1: the bank may go below 0
        self.points = dict.fromkeys(self.seats, 0)  # H9: development only
        self.owner: dict[str, int] = {}  # D2: property tokens; a joker field never bears one
        self.developed: set[str] = set()
        self.jokers: dict[int, list[str]] = {seat: [] for seat in self.seats}
        self.subsidies: set[int] = set()
        self.drawn: list[str] = []  # of this era
        self.available: list[str] = []
        self.auctioneer: int | None = None
        self.offered: str | None = None
        self.high_bid = 0
        self.high_bidder: int | None = None
        self.waiting: list[int] = []  # seats still to bid, or still to develop
        self.turn: list[str] = []  # fields developed in the running development turn
        for seat in self.seats:
            self._pay(BANK, seat, 4)
        self._income()

    # ---- questions

    @property
    def over(self) -> bool:
        return self.phase == "over"

    @property
    def actor(self) -> int | None:
        """The seat that must decide; none while a draw is due or when the game is over."""
        if self.phase in ("offer", "settle"):
            return self.auctioneer
        if self.phase in ("bid", "develop"):
            return self.waiting[0]
        return None

    def left(self, seat: int) -> int:
        return seat % self.players + 1

    def around(self, first: int) -> list[int]:
        """All seats clockwise from the first."""
        return [(first - 1 + step) % self.players + 1 for step in range(self.players)]

    def draw_count(self) -> int:
        """Column tokens of this round (B2)."""
        count = self.players
        if not self.industria and self.options["late_draws"] == "recommended":
            if self.players == 3 and self.era >= 4:
                count = 4
            if self.players == 4 and self.era == 5:
                count = 3
        return min(count, len(COLUMNS) - len(self.drawn))

    def can_take_subsidy(self, seat: int) -> bool:
        """F1, F3: once per player, in Industry, until the last development phase is over."""
        return not self.industria and not self.over and seat not in self.subsidies

    def can_claim(self, seat: int) -> bool:
        if self.industria:
            return True  # C9, I3: a claim is free
        if self.options["claim_afford"] == "full_price":
            return self.talers[seat] >= self.high_bid
        return self.talers[seat] >= self.high_bid - self.high_bid // self.players  # C3

    def discount(self, seat: int) -> int:
        """E11: one Taler for each developed Bank or Stock Exchange."""
        return sum(self.board.fields[id].discount for id in self._developed_by(seat))

    def producers(self, resource: str) -> list[int]:
        """Seats with a developed factory for the resource (E7)."""
        return [
            seat
            for seat in self.seats
            if any(self.board.fields[id].makes == resource for id in self._developed_by(seat))
        ]

    def sources(self, seat: int, resource: str) -> list[str]:
        """Every way in which the seat could get one unit now, its purse aside."""
        producers = self.producers(resource)
        if seat in producers:
            return ["own"]  # E4: automatic, no other choice
        found = [str(other) for other in producers]  # E6: the buyer chooses which
        if not producers and self.era > first_eras(self.board.edition)[resource]:
            found.append("bank")  # E5, E9
        if self._jokers_of(seat, resource):
            found.append("joker")  # E8
        if self._jokers_of(seat, "any"):
            found.append("any")
        return found

    def price(self, seat: int, field: Field, sources: tuple[str, ...]) -> int:
        """Talers that leave the purse: construction cost, and 1 for each bought unit (E10)."""
        bought = sum(source == "bank" or source.isdigit() for source in sources)
        return max(0, field.cost - self.discount(seat)) + bought

    def barrier(self, seat: int, id: str) -> str | None:
        """Why the seat may not develop the field this turn, whatever it paid."""
        field = self.board.fields[id]
        kinds = [self.board.fields[other].kind for other in self.turn]
        if field.kind == "joker":
            return f"{id} is a joker and cannot be developed"
        if self.owner.get(id) != seat:
            return f"seat {seat} does not own {id}"
        if id in self.developed:
            return f"{id} is developed already"
        if field.kind == "technology" and field.era != self.era:
            return f"technology {id} lapsed at the end of its era (G1)"
        if self.industria and field.kind in kinds:
            return f"a second {field.kind} in one turn (I6)"
        if not self.industria and len(self.turn) == 2:
            return "only two fields may be developed in one turn (E1)"
        return None

    def legal(self) -> list[str]:
        """All lines the deciding seat may play, in plain character order."""
        seat = self.actor
        if seat is None:
            return []
        lines = []
        if self.phase == "offer":
            lines = [f"{seat} offer {id}" for id in self.available]
        elif self.phase == "bid":
            lines = [f"{seat} pass"]
            for talers in range(self.high_bid + 1, self.talers[seat] + 1):  # C1, C2, J5
                lines.append(f"{seat} bid {talers}")
        elif self.phase == "settle":
            lines = [f"{seat} sell"]
            if self.can_claim(seat):
                lines.append(f"{seat} claim")
        else:
            lines = [f"{seat} done", *self._develop_lines(seat)]  # E15
        if self.can_take_subsidy(seat):
            lines.append(f"{seat} subsidy")  # F2
        if self.industria and self.options["industria_resource_cash"] == "on":
            lines += [f"{seat} cash {id}" for id in self.jokers[seat]]  # I5
        return sorted(lines)

    def legal_for(self, seat: int) -> list[str]:
        """All lines of one seat, also of one that need not decide now (F2, any_time)."""
        if seat == self.actor:
            return self.legal()
        any_time = self.options.get("subsidy_timing") == "any_time"
        if seat in self.seats and any_time and self.can_take_subsidy(seat):
            return [f"{seat} subsidy"]
        return []

    def _develop_lines(self, seat: int) -> list[str]:
        lines = []
        for id in self.owner:
            if self.barrier(seat, id) is not None:
                continue
            field = self.board.fields[id]
            for sources in itertools.product(*(self.sources(seat, need) for need in field.needs)):
                if sources.count("any") > len(self._jokers_of(seat, "any")):
                    continue  # E8: one joker is one unit
                if self.price(seat, field, sources) > self.talers[seat]:
                    continue  # E14: the whole payment or nothing
                paid = [f"{need}={how}" for need, how in zip(field.needs, sources, strict=True)]
                lines.append(" ".join([f"{seat} develop {id}", *paid]))
        return lines

    def _developed_by(self, seat: int) -> list[str]:
        return [id for id, owner in self.owner.items() if owner == seat and id in self.developed]

    def _jokers_of(self, seat: int, resource: str) -> list[str]:
        """The seat's jokers of just this kind; the first is the one that leaves first."""
        return sorted(id for id in self.jokers[seat] if self.board.fields[id].joker == resource)

    # ---- faults

    def fault(self, line: str) -> str | None:
        """Why the line cannot be played now, or None if it can."""
        draw = DRAW_LINE.fullmatch(line)
        if draw is not None:
            return self._draw_fault(draw[1].split())
        match = SEAT_LINE.fullmatch(line)
        if match is None:
            return f"{line!r} is no line of a record"
        seat = int(match[1])
        if seat not in self.seats:
            return f"there is no seat {seat}"
        if line in self.legal_for(seat):
            return None
        words = line.split()
        return self._reason(seat, words[1], words[2:])

    def _draw_fault(self, ids: list[str]) -> str | None:
        if self.phase != "draw":
            return "the game is over" if self.over else f"no draw is due: the phase is {self.phase}"
        if len(ids) != self.draw_count():
            return f"{self.draw_count()} tokens must be drawn, not {len(ids)} (B2)"
        if len(set(ids)) != len(ids):
            return "a token is drawn twice"
        for id in ids:
            if int(id[0]) != self.era:
                return f"{id} is not of era {self.era}"
            if id in self.drawn:
                return f"{id} was drawn before (B1)"
        return None

    def _reason(self, seat: int, verb: str, rest: list[str]) -> str:
        """A sentence for a readable line that is not among the legal ones."""
        if self.over:
            return "the game is over"
        if verb == "subsidy" and not self.can_take_subsidy(seat):
            return f"seat {seat} cannot take a subsidy (F1; none in Industria, I2)"
        if self.actor is None:
            return "a draw is due"
        if seat != self.actor:
            return f"seat {self.actor} must decide, not seat {seat}"
        if verb == "cash":
            if self.options.get("industria_resource_cash") != "on":
                return "resource tiles have no cash value in this game (I5)"
            return f"seat {seat} holds no resource tile {rest[0]}"
        phases = {"offer": "offer", "bid": "bid", "pass": "bid", "sell": "settle"}
        phases |= {"claim": "settle", "develop": "develop", "done": "develop"}
        if phases[verb] != self.phase:
            return f"{verb} is no move of the phase {self.phase}"
        if verb == "offer":
            return f"{rest[0]} is not available"
        if verb == "bid" and int(rest[0]) <= self.high_bid:
            return f"a bid must be higher than {self.high_bid} (C1)"
        if verb == "bid":
            return f"seat {seat} has only {self.talers[seat]} Talers (C2)"
        if verb == "claim":
            return f"seat {seat} cannot pay a claim at {self.high_bid} (C3)"
        return self._develop_reason(seat, rest[0], [tuple(word.split("=")) for word in rest[1:]])

    def _develop_reason(self, seat: int, id: str, paid: list[tuple[str, ...]]) -> str:
        barrier = self.barrier(seat, id)
        if barrier is not None:
            return barrier
        field = self.board.fields[id]
        if [need for need, _ in paid] != list(field.needs):
            return f"{id} needs just {' '.join(field.needs) or 'nothing'}, in this order"
        for need, source in paid:
            allowed = self.sources(seat, need)
            if source not in allowed:
                return f"{need} can be had only from: {', '.join(allowed) or 'nowhere'}"
        sources = tuple(source for _, source in paid)
        if sources.count("any") > len(self._jokers_of(seat, "any")):
            return "each «?» joker is one unit only (E8)"
        price = self.price(seat, field, sources)
        return f"this costs {price} Talers, seat {seat} has {self.talers[seat]} (E14)"

    # ---- moves

    def play(self, line: str) -> None:
        """Play one line of the record; ValueError if it has a fault."""
        fault = self.fault(line)
        if fault is not None:
            raise ValueError(f"{line}: {fault}")
        words = line.split()
        if words[0] == "draw":
            self._draw(words[1:])
        else:
            self._act(int(words[0]), words[1], words[2:])
        assert sum(self.talers.values()) == 0, "Talers are not conserved"
        assert all(self.talers[seat] >= 0 for seat in self.seats), "a purse is below 0"

    def _act(self, seat: int, verb: str, rest: list[str]) -> None:
        if verb == "subsidy":
            self.subsidies.add(seat)
            self._pay(BANK, seat, 3)
        elif verb == "cash":
            self.jokers[seat].remove(rest[0])
            self._pay(BANK, seat, 1)
        elif verb == "offer":
            self.offered, self.high_bid, self.high_bidder = rest[0], 0, None
            self.waiting = self.around(seat)[1:]
            self.phase = "bid"
        elif verb == "bid":
            self.high_bid, self.high_bidder = int(rest[0]), seat
            self._bidding_goes_on()
        elif verb == "pass":
            self._bidding_goes_on()
        elif verb == "sell":
            self._sell(seat)
        elif verb == "claim":
            self._claim(seat)
        elif verb == "develop":
            self._develop(seat, rest[0], [word.split("=")[1] for word in rest[1:]])
        else:
            self._done()

    def _pay(self, source: int, target: int, talers: int) -> None:
        self.talers[source] -= talers
        self.talers[target] += talers

    def _income(self) -> None:
        for seat in self.seats:
            self._pay(BANK, seat, 1)
            if self.industria and self.era >= 3 and not self.drawn:
                self._pay(BANK, seat, 1)  # I2: with the first income of eras 3, 4 and 5

    def _draw(self, ids: list[str]) -> None:
        self.drawn += ids
        self.available = sorted(ids)
        for id in ids:
            if id[1] in self.board.coin_columns:  # A2, B5
                for seat in self.seats:
                    self._pay(BANK, seat, 1)
        self.auctioneer = self.starting_player
        self.phase = "offer"

    def _bidding_goes_on(self) -> None:
        self.waiting.pop(0)
        if self.waiting:
            return
        if self.high_bidder is not None:
            self.phase = "settle"
            return
        assert self.auctioneer is not None
        self._award(self.auctioneer)  # C6: nobody bid, so he takes it for nothing
        self._next_auction(self.left(self.auctioneer))

    def _sell(self, seat: int) -> None:
        assert self.high_bidder is not None
        self._pay(self.high_bidder, seat, self.high_bid)  # C5
        self._award(self.high_bidder)
        self._next_auction(seat)  # C6: he stays in office

    def _claim(self, seat: int) -> None:
        if not self.industria:
            receiver = seat
            for _ in range(self.high_bid):  # C4: coin by coin from his left, himself included
                receiver = self.left(receiver)
                self._pay(seat, receiver, 1)
        self._award(seat)
        self._next_auction(self.left(seat))

    def _award(self, seat: int) -> None:
        assert self.offered is not None
        self.available.remove(self.offered)
        if self.board.fields[self.offered].kind == "joker":
            self.jokers[seat].append(self.offered)
        else:
            self.owner[self.offered] = seat

    def _next_auction(self, auctioneer: int) -> None:
        self.offered, self.high_bid, self.high_bidder = None, 0, None
        if self.available:
            self.auctioneer = auctioneer
            self.phase = "offer"
        else:  # C7: the phase ends when all fields are gone
            self.auctioneer = None
            self.waiting = self.around(self.starting_player)
            self.turn = []
            self.phase = "develop"

    def _develop(self, seat: int, id: str, sources: list[str]) -> None:
        """E2, E14: pay all, then flip, then score; all of it before the next development."""
        field = self.board.fields[id]
        self._pay(seat, BANK, max(0, field.cost - self.discount(seat)))
        for need, source in zip(field.needs, sources, strict=True):
            if source == "bank":
                self._pay(seat, BANK, 1)
            elif source == "joker":
                self.jokers[seat].remove(self._jokers_of(seat, need)[0])
            elif source == "any":
                self.jokers[seat].remove(self._jokers_of(seat, "any")[0])
            elif source != "own":
                self._pay(seat, int(source), 1)
        self.developed.add(id)
        self.turn.append(id)
        if field.era == self.era:  # E13; a bonus field has no points of its own
            self.points[seat] += field.points

    def _done(self) -> None:
        self.waiting.pop(0)
        self.turn = []
        if self.waiting:
            return
        era_ends = len(self.drawn) == len(COLUMNS)  # B3
        if era_ends and self.era == self.last_era:
            self.phase = "over"  # G2, B6
            return
        self.starting_player = self.left(self.starting_player)
        if era_ends:  # B6: after the marker has moved, before the next income
            self.era += 1
            self.drawn = []
        self._income()
        self.phase = "draw"

    # ---- what everybody sees

    def state(self) -> dict[str, Any]:
        """Public facts as JSON; lists are in seat order, sets are sorted."""
        return {
            "era": self.era,
            "phase": self.phase,
            "actor": self.actor,
            "auctioneer": self.auctioneer,  # none outside the auction
            "starting_player": self.starting_player,
            "talers": [self.talers[seat] for seat in self.seats],
            "points": [self.points[seat] for seat in self.seats],
            "owner": {id: self.owner[id] for id in sorted(self.owner)},
            "developed": sorted(self.developed),
            "jokers": [sorted(self.jokers[seat]) for seat in self.seats],
            "subsidies": [seat in self.subsidies for seat in self.seats],
            "drawn": sorted(self.drawn),
            "available": sorted(self.available),
            "offered": self.offered,
            "high_bid": self.high_bid,
            "high_bidder": self.high_bidder,
        }

    def breakdown(self, seat: int) -> dict[str, int]:
        """The six parts of the seat's score if the game ended now."""
        own = [self.board.fields[id] for id in self._developed_by(seat)]  # G3
        ids = {field.id for field in own}
        bonuses = [field.bonus for field in own if field.bonus is not None]
        if self.industria:
            bonuses = sorted(set(bonuses))  # I7: the same kind scores once
        return {
            "development": self.points[seat],
            "money": self.talers[seat] // 3,  # H4
            "links": 3 * sum(one in ids and other in ids for one, other in self.board.links),  # H3
            "bonuses": sum(  # H1
                value * sum(network in field.networks for field in own)
                for network, value in bonuses
            ),
            "jokers": 0 if self.industria else 2 * len(self.jokers[seat]),  # H5, I5
            "subsidy": -5 if seat in self.subsidies else 0,  # F4
        }

    def result(self) -> dict[str, Any]:
        """The result as in the record; only when the game is over."""
        if not self.over:
            raise ValueError("the game is not over")
        parts = {seat: self.breakdown(seat) for seat in self.seats}
        rank = {
            seat: (sum(parts[seat].values()), len(self._developed_by(seat)), self.talers[seat])
            for seat in self.seats  # H8: points, then developed fields, then money held
        }
        return {
            "points": [rank[seat][0] for seat in self.seats],
            "winners": [seat for seat in self.seats if rank[seat] == max(rank.values())],
            "breakdown": [parts[seat] for seat in self.seats],
        }


# ---------------------------------------------------------------- records


def check_record(record: dict[str, Any], board: Board) -> str | None:
    """None if the record is right in all that formats.md demands, else the first mismatch."""
    wrong = _header_fault(record, board)
    if wrong is not None:
        return wrong
    game = Game(board, len(record["players"]), record["starting_player"], record["options"])
    counts = record.get("legal_counts")
    counted = 0
    for number, line in enumerate(record["moves"], start=1):
        fault = game.fault(line)
        if fault is not None:
            return f"move {number} ({line}): {fault}"
        if not line.startswith("draw"):
            if counts is not None:
                legal = len(game.legal_for(int(line[0])))
                if counted >= len(counts):
                    return f"move {number} ({line}): legal_counts has no entry for it"
                if not _same(counts[counted], legal):
                    return f"move {number} ({line}): {legal} legal moves, not {counts[counted]}"
            counted += 1
        game.play(line)
    end = f"after move {len(record['moves'])}"
    if counts is not None and len(counts) != counted:
        return f"{end}: legal_counts has {len(counts)} entries for {counted} lines"
    if not game.over:
        return f"{end}: there is a result but the game still runs" if "result" in record else None
    if "result" not in record:
        return f"{end}: the game is over but there is no result"
    return _result_fault(record["result"], game.result(), end)


def _is_int(value: object) -> bool:
    return type(value) is int  # True and 1.0 are no numbers of a file


def _is_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _same(found: object, right: object) -> bool:
    """Equal in value and in type all the way down, so that True or 1.0 is not 1."""
    if isinstance(found, list) and isinstance(right, list):
        return len(found) == len(right) and all(map(_same, found, right))
    return type(found) is type(right) and found == right


def _header_fault(record: dict[str, Any], board: Board) -> str | None:
    if not _same(record.get("format"), FORMAT):
        return f"format must be {FORMAT}"
    if record.get("edition") != board.edition:
        return f"the record's edition is {record.get('edition')!r}, the board's {board.edition!r}"
    if not isinstance(record.get("board"), str):
        return "the name of the board is missing"
    if record.get("board_hash") != board_hash(board):
        return f"the board's hash is {board_hash(board)}, the record's {record.get('board_hash')}"
    if not _same(record.get("rules_version"), RULES_VERSION):
        return f"rules_version must be {RULES_VERSION}"
    players = record.get("players")
    if not isinstance(players, list) or not _is_strings(players) or len(players) not in (3, 4):
        return "players must be 3 or 4 names"
    starting_player = record.get("starting_player")
    if not _is_int(starting_player) or starting_player not in range(1, len(players) + 1):
        return f"starting_player must be a seat from 1 to {len(players)}"
    if not isinstance(record.get("options"), dict):
        return "the options are missing"
    wrong = options_fault(board.edition, record["options"])
    if wrong is not None:
        return wrong
    if not _is_strings(record.get("moves")):
        return "moves must be a list of lines"
    if not isinstance(record.get("legal_counts", []), list):
        return "legal_counts must be a list"
    return None


def _result_fault(found: object, right: dict[str, Any], end: str) -> str | None:
    if not isinstance(found, dict):
        return f"{end}: the result is no table"
    for key in ("points", "winners"):
        if not _same(found.get(key), right[key]):
            return f"{end}: {key} are {right[key]}, the record says {found.get(key)}"
    breakdown = found.get("breakdown")
    if not isinstance(breakdown, list) or len(breakdown) != len(right["breakdown"]):
        return f"{end}: the breakdown must have one entry per seat"
    for seat, (said, is_) in enumerate(zip(breakdown, right["breakdown"], strict=True), start=1):
        for part in PARTS:
            if not isinstance(said, dict) or not _same(said.get(part), is_[part]):
                return f"{end}: seat {seat} has {is_[part]} points for {part}, the record differs"
    return None


def default_options(edition: str) -> dict[str, str]:
    return {name: values[0] for name, values in OPTIONS[edition].items()}


def random_record(
    board: Board, players: int, options: dict[str, str], rng: random.Random
) -> dict[str, Any]:
    """A whole game of uniformly random legal moves, with legal_counts.

    With any_time a seat now and then takes its subsidy out of turn, also where a draw is due.
    """
    starting_player = rng.randint(1, players)
    game = Game(board, players, starting_player, options)
    moves: list[str] = []
    counts: list[int] = []
    while not game.over:
        idle = [seat for seat in game.seats if seat != game.actor and game.legal_for(seat)]
        if idle and rng.random() < 0.05:
            seat = rng.choice(idle)
            line = rng.choice(game.legal_for(seat))
            counts.append(len(game.legal_for(seat)))
        elif game.phase == "draw":
            left = [id for id in FIELD_IDS if int(id[0]) == game.era and id not in game.drawn]
            line = " ".join(["draw", *rng.sample(left, game.draw_count())])
        else:
            line = rng.choice(game.legal())
            counts.append(len(game.legal()))
        moves.append(line)
        game.play(line)
    return {
        "format": FORMAT,
        "edition": board.edition,
        "board": board.id,
        "board_hash": board_hash(board),
        "rules_version": RULES_VERSION,
        "players": ["Ana", "Bo", "Cy", "Di"][:players],
        "starting_player": starting_player,
        "moves": moves,
        "options": dict(options),
        "result": game.result(),
        "legal_counts": counts,
    }


# ---------------------------------------------------------------- command line


def read_records(path: str) -> list[tuple[str, dict[str, Any]]]:
    """Every record of a file with its place: one of a TOML file, one per line of a .jsonl file."""
    text = Path(path).read_text(encoding="utf-8")
    if not path.endswith(".jsonl"):
        return [(path, tomllib.loads(text))]
    lines = enumerate(text.split("\n"), start=1)
    found = [(f"{path}:{number}", json.loads(line)) for number, line in lines if line.strip()]
    for place, record in found:
        if not isinstance(record, dict):
            raise ValueError(f"{place}: no record")
    return found


def _check(board: Board, files: list[str]) -> int:
    wrong = right = 0
    for file in files:
        for place, record in read_records(file):
            fault = check_record(record, board)
            if fault is None:
                right += 1
            else:
                wrong += 1
                print(f"{place}: {fault}")
    print(f"{right} right, {wrong} wrong")
    return 1 if wrong else 0


def _legal(board: Board, file: str, at: int | None) -> int:
    _, record = read_records(file)[0]
    wrong = _header_fault(record, board)
    if wrong is not None:
        raise ValueError(wrong)
    moves = record["moves"]
    if at is not None and not 0 <= at <= len(moves):
        raise ValueError(f"the record has {len(moves)} moves")
    game = Game(board, len(record["players"]), record["starting_player"], record["options"])
    for line in moves[:at]:
        game.play(line)
    for line in game.legal():
        print(line)
    return 0


def _random(board: Board, args: argparse.Namespace) -> int:
    rng = random.Random(args.seed)
    for _ in range(args.games):
        options = default_options(board.edition)
        if args.mixed:
            options = {name: rng.choice(of) for name, of in OPTIONS[board.edition].items()}
        options |= dict(option.split("=", 1) for option in args.option)
        print(json.dumps(random_record(board, args.players, options, rng), ensure_ascii=False))
    return 0


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="referee", description="The independent referee.")
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="check whole records")
    check.add_argument("board")
    check.add_argument("file", nargs="+")
    legal = commands.add_parser("legal", help="print the legal moves after N moves")
    legal.add_argument("board")
    legal.add_argument("file")
    legal.add_argument("--at", type=int, help="number of moves, draws counted; all if left out")
    rand = commands.add_parser("random", help="print random games as JSON lines")
    rand.add_argument("board")
    rand.add_argument("--players", type=int, choices=(3, 4), default=4)
    rand.add_argument("--games", type=int, default=1)
    rand.add_argument("--seed", type=int, default=0)
    rand.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    rand.add_argument("--mixed", action="store_true", help="random options for each game")
    args = parser.parse_args(argv)
    try:
        board = load_board(args.board)
        if args.command == "check":
            return _check(board, args.file)
        if args.command == "legal":
            return _legal(board, args.file, args.at)
        return _random(board, args)
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
