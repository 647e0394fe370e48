"""P2, P3, P4: one history for everybody, whatever the line between client and server does."""

import asyncio
import json
from pathlib import Path
from random import Random

import pytest

from tests.support import proof

from .conftest import STORES
from .forked import Forked
from .playing import Json
from .proxy import CHANCES, BadLine
from .witnesses import (
    PATIENCE,
    Account,
    Party,
    check_exactly_once,
    check_history,
    make_party,
)

TABLES = 3
SOCKETS = 2
"""Of each seat: they compete for every move, and one of them is always too late."""
MOVES = 30
"""Acknowledged moves of each table."""


@pytest.mark.parametrize("database", proof.cases(STORES), indirect=True)
def test_p4_clients_behind_a_bad_line_see_one_history_and_every_command_is_applied_once(
    tmp_path: Path, database: str
) -> None:
    async def run() -> list[Account]:
        async with BadLine(server.port, Random(4)) as line:
            parties = [
                await make_party(server.port, Random(n), sockets=SOCKETS) for n in range(TABLES)
            ]
            await play_through(line, parties)
            assert set(line.done) == set(CHANCES), "the line was better than it should be"
            return [party.account() for party in parties]

    with Forked(tmp_path, database) as server:
        for account in asyncio.run(run()):
            log = server.get(f"/api/tables/{account.table}/log")["entries"]
            entries = check_history(account, log)
            check_exactly_once(account, entries)
            check_convergence(account, entries)
            check_refusals(account)


async def play_through(line: BadLine, parties: list[Party]) -> None:
    """All witnesses play behind the line; at the end it is good, and everybody catches up."""
    everybody = [witness for party in parties for witness in party.witnesses]
    for witness in everybody:
        witness.port, witness.silence, witness.pause = line.port, 1.5, 0.03
    async with asyncio.timeout(PATIENCE * 2), asyncio.TaskGroup() as group:
        for witness in everybody:
            group.create_task(witness.run())
        while any(_moves(party) < MOVES and not party.is_over for party in parties):
            await asyncio.sleep(0.05)
        line.is_bad = False
        for witness in everybody:
            witness.is_pausing = True
        while not all(_is_settled(party) for party in parties):
            await asyncio.sleep(0.05)
        for witness in everybody:
            witness.stopping = True


def _moves(party: Party) -> int:
    return len(party.account().accepted)


def _is_settled(party: Party) -> bool:
    """Nobody waits for an answer, and all have heard equally much, also of the last move."""
    heard = {len(witness.told.entries) for witness in party.witnesses}
    last = max(party.account().accepted.values())
    return all(w.is_idle for w in party.witnesses) and len(heard) == 1 and max(heard) >= last


def check_convergence(account: Account, entries: list[Json]) -> None:
    """In the end everybody knows everything, and the same of it."""
    first = json.dumps(account.told[0].entries)
    for told in account.told:
        assert len(told.entries) == len(entries)
        assert json.dumps(told.entries) == first


def check_refusals(account: Account) -> None:
    """Those who were too late got that answer; nothing else went wrong."""
    codes = {code for told in account.told for code in told.refused.values()}
    assert codes == {"stale"}
