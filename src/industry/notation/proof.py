"""The proof that a bag was fixed before the game: how it is made, and how anyone checks it.

A secret of 32 bytes is chosen before the game and its SHA-256 published. Every key follows from the
secret and from what the seats added; docs/fair-bag.md describes it for other languages. This file
uses only the standard library: copied anywhere, it checks a record with `python proof.py
RECORD.toml --commitment HEX --mine HEX`.
"""

import argparse
import hashlib
import hmac
import json
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FREE = "industry-bag-1"
"""The scheme of version 0.1.0: keys follow from the secret and the additions."""
BOUND = "industry-bag-2"
"""The scheme since then: they also follow from the table, the players and the rules version."""
SCHEMES = (FREE, BOUND)
COLUMNS = "ABCDEFGHIJKL"
SECRET_BYTES = 32
BYTE_VALUES = 256

_KEY = re.compile(r"[0-9a-f]{64}")
_CONTRIBUTION = re.compile(r"[0-9a-f]{0,64}")
_COMMITMENT = re.compile(r"sha256:[0-9a-f]{64}")
_TABLE = re.compile(r"[a-z0-9]{1,32}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class ProofError(ValueError):
    """A proof is wrong; `code` and `values` say how, for a sentence about it."""

    def __init__(self, code: str, **values: object) -> None:
        self.code = code
        self.values = values
        super().__init__(f"{code} {values}" if values else code)


# How a bag follows from its secret


def commitment_of(secret: bytes) -> str:
    """Returns what is published before the first draw."""
    return f"sha256:{hashlib.sha256(secret).hexdigest()}"


def daily_secret(date: str) -> bytes:
    """Returns the secret of the daily deal of a date such as `2026-11-18`; it is public."""
    return hashlib.sha256(f"industry daily deal {date}".encode("ascii")).digest()


@dataclass(frozen=True, slots=True)
class Game:
    """The game to which a bag of the scheme `industry-bag-2` is bound."""

    table: str
    """The table's name on its server."""
    rules_version: int
    names: tuple[str, ...]
    """The players in the order in which they joined."""


def root_key(secret: bytes, contributions: Sequence[str], game: Game | None = None) -> bytes:
    """Mixes the secret and the contributions with the game to which they belong.

    With a game, contributions are in the order in which players joined. Without one (the scheme
    `industry-bag-1`) they are sorted, because the seating follows from this key.
    """
    for contribution in contributions:
        if not _CONTRIBUTION.fullmatch(contribution):
            raise ValueError("a contribution has up to 64 hexadecimal digits in small letters")
    if game is None:
        return _hmac(secret, f"{FREE}:{','.join(sorted(contributions))}")
    lines = [BOUND, f"table {game.table}", f"rules {game.rules_version}"]
    for name, contribution in zip(game.names, contributions, strict=True):
        hashed = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
        lines.append(f"player {hashed} {contribution}")
    return _hmac(secret, "\n".join(lines))


def purpose_key(root: bytes, purpose: str) -> bytes:
    """Returns a separate key for each purpose: none reveals anything about another or the root."""
    return _hmac(root, purpose)


def era_key(root: bytes, era: int) -> bytes:
    """Returns the key of an era, counted from 1."""
    return purpose_key(root, f"era {era}")


def _hmac(key: bytes, message: str) -> bytes:
    return hmac.digest(key, message.encode("ascii"), "sha256")


def _stream(key: bytes) -> Iterator[int]:
    """Yields endless bytes: HMAC over a counter of four bytes, block after block."""
    block = 0
    while True:
        yield from hmac.digest(key, block.to_bytes(4, "big"), "sha256")
        block += 1


def _below(stream: Iterator[int], count: int) -> int:
    """Returns a number from 0 to count - 1, all equally likely: biased bytes are skipped."""
    limit = BYTE_VALUES - BYTE_VALUES % count
    return next(byte for byte in stream if byte < limit) % count


def shuffled(key: bytes, count: int) -> list[int]:
    """Returns the numbers from 0 to count - 1, shuffled by the key (Fisher–Yates from the end)."""
    stream = _stream(key)
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        place = _below(stream, last + 1)
        order[last], order[place] = order[place], order[last]
    return order


def era_order(key: bytes) -> str:
    """Returns the letters of an era's tokens in the order in which they leave the bag."""
    return "".join(COLUMNS[place] for place in shuffled(key, len(COLUMNS)))


def first_player(root: bytes, players: int) -> int:
    """Returns the Starting Player's seat, from 1 (ruling A5)."""
    return _below(_stream(purpose_key(root, "starting player")), players) + 1


def seating_order(root: bytes, players: int) -> list[int]:
    """Returns for seats 1, 2 … the place, from 1, in which its player joined (ruling A5)."""
    return [place + 1 for place in shuffled(purpose_key(root, "seating"), players)]


# What a record says about its bag


@dataclass(frozen=True, slots=True)
class Proof:
    """What has been published about a bag: its commitment, and what was revealed since."""

    commitment: str
    contributions: tuple[str, ...]
    """What each seat added, in seat order; empty where it added nothing."""
    era_keys: tuple[str, ...] = ()
    """Of the eras that are over, from era 1 on."""
    secret: str | None = None
    """Revealed when the game is over."""
    seating: tuple[int, ...] | None = None
    """For each seat the place in which its player joined, where the bag decided it."""
    table: str | None = None
    """The table's name, to which the bag is bound; None in the scheme `industry-bag-1`."""
    daily: str | None = None
    """The date from which the bag of a daily deal follows: it was public from the start."""

    def data(self) -> dict[str, Any]:
        """Returns the table `proof` of a record."""
        data: dict[str, Any] = {
            "scheme": FREE if self.table is None else BOUND,
            **({} if self.table is None else {"table": self.table}),
            **({} if self.daily is None else {"daily": self.daily}),
            "commitment": self.commitment,
            "contributions": list(self.contributions),
            "era_keys": list(self.era_keys),
        }
        if self.secret is not None:
            data["secret"] = self.secret
        if self.seating is not None:
            data["seating"] = list(self.seating)
        return data

    def root(self, secret: bytes, names: Sequence[str], rules_version: int) -> bytes:
        """Returns the root key from this secret and everything else that the proof states."""
        if self.table is None:
            return root_key(secret, self.contributions)
        places = self.seating or range(1, len(names) + 1)
        if sorted(places) != list(range(1, len(names) + 1)):
            raise ProofError("seating")
        joined = sorted(zip(places, names, self.contributions, strict=True))
        game = Game(self.table, rules_version, tuple(name for _, name, _ in joined))
        return root_key(secret, [contribution for _, _, contribution in joined], game)


def proof_from_data(data: Any) -> Proof:
    """Parses the proof in a record's table; raises `ProofError`."""
    if not isinstance(data, dict):
        raise ProofError("shape", key="proof")
    scheme = data.get("scheme")
    if scheme not in SCHEMES:
        raise ProofError("scheme", known=", ".join(SCHEMES))
    return Proof(
        commitment=_matching(data, "commitment", _COMMITMENT),
        contributions=_texts(data, "contributions", _CONTRIBUTION),
        era_keys=_texts(data, "era_keys", _KEY),
        secret=_matching(data, "secret", _KEY) if "secret" in data else None,
        seating=_places(data, "seating") if "seating" in data else None,
        table=_matching(data, "table", _TABLE) if scheme == BOUND else None,
        daily=_matching(data, "daily", _DATE) if "daily" in data else None,
    )


def _matching(data: dict[str, Any], key: str, pattern: re.Pattern[str]) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise ProofError("shape", key=f"proof.{key}")
    return value


def _texts(data: dict[str, Any], key: str, pattern: re.Pattern[str]) -> tuple[str, ...]:
    values = data.get(key)
    if not isinstance(values, list):
        raise ProofError("shape", key=f"proof.{key}")
    return tuple(_matching({key: value}, key, pattern) for value in values)


def _places(data: dict[str, Any], key: str) -> tuple[int, ...]:
    values = data[key]
    if not isinstance(values, list) or not all(type(value) is int for value in values):
        raise ProofError("shape", key=f"proof.{key}")
    return tuple(values)


# The check


@dataclass(frozen=True, slots=True)
class BagCheck:
    """What a valid proof has proven so far."""

    eras: int
    """Eras whose draws are exactly what their revealed key gives."""
    secret: bool
    """The secret is revealed and everything follows from it; else the game still runs."""


def check(
    proof: Proof,
    moves: Sequence[str],
    names: Sequence[str],
    starting_player: int,
    *,
    over: bool,
    rules_version: int,
) -> BagCheck:
    """Compares a proof with a game; raises `ProofError` at the first mismatch."""
    players = len(names)
    if len(proof.contributions) != players:
        raise ProofError("contributions", count=len(proof.contributions), players=players)
    if over and proof.secret is None:
        raise ProofError("secret_missing")
    keys = [bytes.fromhex(key) for key in proof.era_keys]
    if proof.secret is not None:
        secret = bytes.fromhex(proof.secret)
        if commitment_of(secret) != proof.commitment:
            raise ProofError("commitment")
        if proof.daily is not None and secret != daily_secret(proof.daily):
            raise ProofError("daily", date=proof.daily)
        root = proof.root(secret, names, rules_version)
        for era, key in enumerate(keys, start=1):
            if key != era_key(root, era):
                raise ProofError("era_key", era=era)
        _check_seats(proof, root, players, starting_player)
        keys = [era_key(root, era) for era in range(1, _eras(moves) + 1)]
    _check_draws(keys, moves)
    return BagCheck(len(keys), proof.secret is not None)


def compare(proof: Proof, commitment: str | None, mine: str | None) -> None:
    """Compares a proof with what a player kept: the commitment and their own addition. Only that
    player can do this. Raises `ProofError` if the server has replaced one of them.
    """
    if commitment is not None and proof.commitment != f"sha256:{commitment}":
        raise ProofError("other_commitment")
    if mine is not None and mine not in proof.contributions:
        raise ProofError("not_mine")


def _check_seats(proof: Proof, root: bytes, players: int, starting_player: int) -> None:
    first = first_player(root, players)
    if starting_player != first:
        raise ProofError("starting_player", seat=starting_player, given=first)
    if proof.seating is not None and list(proof.seating) != seating_order(root, players):
        raise ProofError("seating")


def _draws(moves: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yields number (from 1) and fields of each draw."""
    for number, line in enumerate(moves, start=1):
        words = line.split(" ")
        if words[0] == "draw":
            yield number, words[1:]


def _eras(moves: Sequence[str]) -> int:
    """Returns how many eras the game has reached; ignores unknown field names."""
    starts = [field[:1] for _, fields in _draws(moves) for field in fields]
    return max((int(start) for start in starts if start in tuple("12345")), default=0)


def _check_draws(keys: Sequence[bytes], moves: Sequence[str]) -> None:
    """Checks that each draw takes the next tokens of its era's order, if its key is known."""
    orders = [era_order(key) for key in keys]
    drawn = [0] * len(orders)
    for number, fields in _draws(moves):
        eras = {field[:1] for field in fields}
        for era, order in enumerate(orders, start=1):
            if str(era) not in eras:
                continue
            begin, drawn[era - 1] = drawn[era - 1], drawn[era - 1] + len(fields)
            given = [f"{era}{letter}" for letter in order[begin : drawn[era - 1]]]
            if sorted(fields) != sorted(given):
                raise ProofError("draw", move=number, given=" ".join(sorted(given)))


def check_data(data: Mapping[str, Any]) -> BagCheck:
    """Checks the plain data of a record that has a proof; raises `ProofError`."""
    try:
        return check(
            proof_from_data(data["proof"]),
            [str(line) for line in data["moves"]],
            [str(name) for name in data["players"]],
            data["starting_player"],
            over="result" in data,
            rules_version=data["rules_version"],
        )
    except (KeyError, TypeError):
        raise ProofError("shape", key="record") from None


def kept_hex(text: str) -> str:
    """Returns the digits of a commitment or an addition, however copied; raises `ValueError`."""
    digits = text.strip().lower().removeprefix("sha256:")
    if not digits or not _CONTRIBUTION.fullmatch(digits):
        raise ValueError(f"{text!r} is not up to 64 hexadecimal digits")
    return digits


def _main() -> str:
    reader = argparse.ArgumentParser(description="Check the proof of the bag in a game record.")
    reader.add_argument("record", type=Path, help="a game record in TOML, or one line of JSON")
    reader.add_argument("--commitment", type=kept_hex, metavar="HEX", help="as the table showed it")
    reader.add_argument("--mine", type=kept_hex, metavar="HEX", help="what your seat added")
    given = reader.parse_args()
    try:
        text = given.record.read_text(encoding="utf-8")
        data = json.loads(text) if text.startswith("{") else tomllib.loads(text)
        checked = check_data(data)
        compare(proof_from_data(data["proof"]), given.commitment, given.mine)
    except (OSError, ValueError) as error:
        return f"The proof does not hold: {error}"
    rest = "all follows from the secret" if checked.secret else "the secret is not revealed yet"
    sys.stdout.write(f"The proof holds: eras 1 to {checked.eras} were drawn as promised; {rest}.\n")
    return ""


if __name__ == "__main__":
    sys.exit(_main() or 0)
