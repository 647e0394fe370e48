"""Rated tables: what their options may be, and what nobody gets at them."""

from typing import Any

import pytest

from industry.server.errors import Refused

from .playing import Server
from .tables import Play


def test_a_rated_table_knows_that_it_is() -> None:
    assert Play(rated=True, undo="off").table.is_rated
    assert not Play().table.is_rated


@pytest.mark.parametrize(
    "options",
    [
        {"undo": "own_last"},
        {"undo": "off", "daily": "2026-11-18"},
        {"undo": "off", "rules": {"claim_afford": "full_price"}},
    ],
    ids=["undo", "daily", "rules"],
)
def test_a_game_that_cannot_be_compared_is_not_rated(options: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refused:
        Play(rated=True, **options)
    assert (refused.value.code, refused.value.detail) == ("bad_options", "rated")


def test_a_guest_has_no_seat_at_a_rated_table(shared_server: Server) -> None:
    seats = [{"kind": "human"}, {"kind": "bot", "bot": "foreman"}, {"kind": "open"}]
    wish = {"id": "rated", "options": {"players": 3, "undo": "off", "rated": True}, "seats": seats}
    answer = shared_server.http("POST", "/api/tables", json=wish)
    assert answer.json()["code"] == "not_signed_in"
