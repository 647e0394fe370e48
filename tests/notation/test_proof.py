"""The bag's proof: published vectors, and every way in which a record can contradict its proof."""

import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from industry.notation import Mismatch, Record, RecordError, record_from_data, verify
from industry.notation import proof as proof_module
from industry.notation.proof import (
    BagCheck,
    Game,
    Proof,
    ProofError,
    check_data,
    commitment_of,
    era_key,
    era_order,
    first_player,
    root_key,
    seating_order,
    shuffled,
)
from industry.notation.record import record_from_json, record_from_toml
from industry.texts import LANGUAGES, say
from tests.server.fair_games import fair_game

from .samples import TABLES, board

FOLDER = Path(__file__).parent
VECTORS: list[dict[str, Any]] = [
    vector
    for name in ("bag-vectors.json", "bag-2-vectors.json")
    for vector in json.loads((FOLDER / name).read_text("utf-8"))
]


@pytest.mark.parametrize(
    "vector", VECTORS, ids=lambda vector: f"{vector.get('table', '')}{vector['commitment'][7:15]}"
)
def test_the_published_vectors_hold(vector: dict[str, Any]) -> None:
    secret, players = bytes.fromhex(vector["secret"]), len(vector["contributions"])
    assert commitment_of(secret) == vector["commitment"]
    game = None
    if "table" in vector:
        game = Game(vector["table"], vector["rules_version"], tuple(vector["players"]))
    root = root_key(secret, vector["contributions"], game)
    keys = [era_key(root, era) for era in range(1, 6)]
    assert [key.hex() for key in keys] == vector["era_keys"]
    assert [era_order(key) for key in keys] == vector["orders"]
    assert first_player(root, players) == vector["starting_player"]
    assert seating_order(root, players) == vector["seating"]


def test_every_order_is_as_likely_as_any_other() -> None:
    """24 orders of four: each within five standard deviations of its share."""
    count = 12_000
    found = Counter(tuple(shuffled(n.to_bytes(4, "big"), 4)) for n in range(count))
    share = count / 24
    assert len(found) == 24
    assert all(abs(times - share) < 5 * share**0.5 for times in found.values())


def test_contributions_change_everything_and_their_order_nothing() -> None:
    secret = bytes(32)
    assert root_key(secret, ["a", "b", ""]) == root_key(secret, ["", "b", "a"])
    assert root_key(secret, ["ab", "", ""]) != root_key(secret, ["a", "b", ""])
    assert root_key(secret, ["", ""]) != root_key(secret, ["", "", ""])
    for wrong in ("A", "g", "1,2", "0" * 65):
        with pytest.raises(ValueError, match="hexadecimal"):
            root_key(secret, [wrong])


GAME = Game("abcdefghijkl", 1, ("Ana", "Bo", "Cy"))


@pytest.mark.parametrize(
    "other",
    [
        Game("abcdefghijkm", 1, GAME.names),
        Game(GAME.table, 2, GAME.names),
        Game(GAME.table, 1, ("Ana", "Bo", "Di")),
        Game(GAME.table, 1, ("Bo", "Ana", "Cy")),
        Game(GAME.table, 1, ("Ana", "Bo", "Cy ")),
        None,
    ],
)
def test_a_bound_bag_belongs_to_its_table_its_players_and_its_rules(other: Game | None) -> None:
    secret, additions = bytes(32), ["a", "b", ""]
    assert root_key(secret, additions, other) != root_key(secret, additions, GAME)


def test_a_bound_bag_knows_whose_addition_is_whose() -> None:
    assert root_key(bytes(32), ["a", "b", ""], GAME) != root_key(bytes(32), ["b", "a", ""], GAME)


# A record with its proof


def data_of(edition: str = "industry", players: int = 3, **more: Any) -> Any:
    """Plain data of a game that a fair bag drew, with its proof; yours to change."""
    return json.loads(fair_game(edition, players, **more).to_json())


def mismatch_of(data: dict[str, Any], edition: str = "industry") -> Mismatch | None:
    return verify(record_from_data(data), board(edition))


@pytest.mark.parametrize("table", [None, "abcdefghijkl"])
@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_a_game_that_the_bag_drew_is_proven(edition: str, players: int, table: str | None) -> None:
    record = fair_game(edition, players, table=table)
    scheme = record.data()["proof"]["scheme"]
    assert scheme == ("industry-bag-1" if table is None else "industry-bag-2")
    assert verify(record, board(edition)) is None
    eras = 4 if (edition, players) == ("industria", 3) else 5
    assert check_data(record.data()) == BagCheck(eras, True)


@pytest.mark.parametrize("moves", [0, 1, 30, 150, 300])
def test_a_running_game_is_proven_as_far_as_its_eras_are_over(moves: int) -> None:
    record = fair_game("industry", 4, moves)
    assert record.proof is not None
    assert record.proof.secret is None
    assert verify(record, board("industry")) is None
    assert check_data(record.data()) == BagCheck(len(record.proof.era_keys), False)


def test_the_proof_survives_writing_and_reading() -> None:
    record = fair_game("industria", 4)
    assert record_from_toml(record.to_toml()) == record
    assert record_from_json(record.to_json()) == record
    assert isinstance(record.proof, Proof)


def test_a_record_without_a_proof_stays_as_it_was() -> None:
    data = data_of()
    del data["proof"]
    record = record_from_data(data)
    assert record.proof is None
    assert "proof" not in record.data()


def swapped_draws(data: dict[str, Any]) -> str:
    """Two tokens of the first two draws change places; the players could not have known."""
    first, second = [n for n, line in enumerate(data["moves"]) if line.startswith("draw")][:2]
    ours, theirs = data["moves"][first].split(" "), data["moves"][second].split(" ")
    ours[1], theirs[1] = theirs[1], ours[1]
    data["moves"][first : first + 1] = [" ".join(ours)]
    del data["moves"][first + 1 :], data["result"]
    return str(data["moves"][first])


def another_secret(data: dict[str, Any]) -> None:
    data["proof"]["secret"] = "0" * 64


def another_secret_with_its_commitment(data: dict[str, Any]) -> None:
    data["proof"]["secret"] = "0" * 64
    data["proof"]["commitment"] = commitment_of(bytes(32))


def no_secret(data: dict[str, Any]) -> None:
    del data["proof"]["secret"]


def another_contribution(data: dict[str, Any]) -> None:
    data["proof"]["contributions"][0] = "1"
    data["proof"]["era_keys"] = []


def a_missing_contribution(data: dict[str, Any]) -> None:
    data["proof"]["contributions"].pop()


def another_seating(data: dict[str, Any]) -> None:
    data["proof"]["seating"].reverse()


def another_table(data: dict[str, Any]) -> None:
    """The bag of a game that was played elsewhere."""
    data["proof"]["table"] = "zzzzzzzzzzzz"


def another_player(data: dict[str, Any]) -> None:
    data["players"][0] = "Mallory"


def the_scheme_before(data: dict[str, Any]) -> None:
    data["proof"]["scheme"] = "industry-bag-1"


CONTRADICTIONS: list[tuple[Callable[[dict[str, Any]], None], set[str]]] = [
    (another_secret, {"commitment"}),
    (another_secret_with_its_commitment, {"era_key"}),
    (no_secret, {"secret_missing"}),
    (another_contribution, {"starting_player", "seating", "draw"}),
    (a_missing_contribution, {"contributions"}),
    (another_seating, {"seating", "era_key"}),
    (another_table, {"era_key"}),
    (another_player, {"era_key"}),
    (the_scheme_before, {"era_key"}),
]


def code_of(data: dict[str, Any]) -> str:
    with pytest.raises(ProofError) as caught:
        check_data(data)
    return caught.value.code


@pytest.mark.parametrize(("change", "codes"), CONTRADICTIONS)
def test_what_contradicts_the_proof_is_found(
    change: Callable[[dict[str, Any]], None], codes: set[str]
) -> None:
    data = data_of()
    change(data)
    assert code_of(data) in codes
    assert mismatch_of(data) is not None


def test_a_starting_player_whom_the_bag_did_not_choose_is_found() -> None:
    data = data_of()
    given = data["starting_player"]
    data["starting_player"] = given % 3 + 1
    assert code_of(data) == "starting_player"


def test_a_draw_that_does_not_come_from_the_bag_is_found_at_its_move() -> None:
    data = data_of()
    secret = data["proof"].pop("secret")
    line = swapped_draws(data)
    mismatch = mismatch_of(data)
    assert mismatch is not None
    assert (mismatch.move, mismatch.line) == (1, line)
    data["proof"]["secret"] = secret
    assert mismatch_of(data) == mismatch


def test_an_era_whose_key_is_unknown_proves_nothing() -> None:
    data = data_of()
    del data["proof"]["secret"]
    swapped_draws(data)
    data["proof"]["era_keys"] = []
    assert mismatch_of(data) is None
    assert check_data(data) == BagCheck(0, False)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("commitment", "sha256:0"),
        ("commitment", None),
        ("contributions", "abc"),
        ("contributions", ["x", "", ""]),
        ("era_keys", ["0" * 63]),
        ("secret", 7),
        ("seating", [1, "2", 3]),
        ("table", None),
        ("table", "x y"),
    ],
)
def test_a_proof_that_is_none_is_named_by_its_key(key: str, value: object) -> None:
    data = data_of()
    data["proof"][key] = value
    with pytest.raises(RecordError, match=f"proof.{key}"):
        record_from_data(data)


@pytest.mark.parametrize("wrong", ["", [], {}, {"scheme": "industry-bag-3"}])
def test_a_proof_of_another_kind_is_not_taken_for_one(wrong: object) -> None:
    data = data_of() | {"proof": wrong}
    with pytest.raises(RecordError):
        record_from_data(data)


def test_a_contradiction_is_reported_in_every_language() -> None:
    said = {say("verify.proof.draw", language, move=1, given="1A 1B") for language in LANGUAGES}
    assert len(said) == 3
    assert all("1A 1B" in sentence for sentence in said)


# The file alone


def run_alone(folder: Path, record: Record, suffix: str) -> subprocess.CompletedProcess[str]:
    """The module copied out of the program, run without any installed package."""
    script = shutil.copy(str(proof_module.__file__), folder / "proof.py")
    path = folder / f"game.{suffix}"
    path.write_text(record.to_toml() if suffix == "toml" else record.to_json(), encoding="utf-8")
    command = [sys.executable, "-I", "-S", str(script), str(path)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("suffix", ["toml", "json"])
def test_the_check_needs_only_the_record_and_the_standard_library(
    suffix: str, tmp_path: Path
) -> None:
    done = run_alone(tmp_path, fair_game("industry", 4), suffix)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("The proof holds: eras 1 to 5")


def test_the_file_alone_finds_a_lie_too(tmp_path: Path) -> None:
    data = data_of()
    another_secret(data)
    done = run_alone(tmp_path, record_from_data(data), "toml")
    assert done.returncode == 1
    assert "commitment" in done.stderr
