"""The JSON and the page of a review: the published schema holds, and the page needs nothing."""

import json
import re
from html.parser import HTMLParser
from importlib.resources import files
from typing import Any

import jsonschema_rs
import pytest

from industry.judge.page import page
from industry.judge.review import review
from industry.texts import LANGUAGES

from .games import finished_game

SCHEMA = json.loads(files("industry.judge").joinpath("review.schema.json").read_text("utf-8"))
GAME = ("industria", 3)


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    game = finished_game(*GAME)
    return review(game.board, game.record(), lines=4)


def test_a_review_follows_the_published_schema(found: dict[str, Any]) -> None:
    validator = jsonschema_rs.validator_for(SCHEMA)
    assert [error.message for error in validator.iter_errors(found)] == []
    damaged = {**found, "seats": [{**found["seats"][0], "own": 0.5}]}
    assert not validator.is_valid(damaged)


class _Reader(HTMLParser):
    """Collects what the tests ask about."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "img", "br", "input"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_whole_and_asks_the_network_for_nothing(
    found: dict[str, Any], language: str
) -> None:
    game = finished_game(*GAME)
    text = page(game.board, game.record(), found, language)
    reader = _Reader()
    reader.feed(text)
    assert reader.open == []
    assert not re.search(r"""(src|href|url)\s*[=(]\s*["']?(https?:)?//""", text)
    pictures = [attrs for tag, attrs in reader.tags if tag == "svg"]
    assert len(pictures) == 3 + 1
    assert all(picture["role"] == "img" and picture["aria-label"] for picture in pictures)
    assert ("html", {"lang": language}) in reader.tags
    data = json.loads(text.split('id="data">')[1].split("</script>")[0])
    shown = [int(attrs["data-move"] or -1) for tag, attrs in reader.tags if "data-move" in attrs]
    assert {str(move) for move in shown} == set(data["states"])
    assert all(len(state["fields"]) == 60 for state in data["states"].values())
    losses = {entry["move"]: entry["loss"] for entry in found["decisions"]}
    assert [losses[move] for move in shown] == sorted((losses[m] for m in shown), reverse=True)


def test_the_sheet_states_what_a_taler_is_worth_at_every_auction(found: dict[str, Any]) -> None:
    game = finished_game(*GAME)
    text = page(game.board, game.record(), found, "en")
    sheet = text[text.index("All auctions") :]
    assert sheet.count("Points per Taler") == len(found["players"])
    for auction, row in zip(found["auctions"], sheet.split("<tr>")[2:], strict=False):
        rates = "".join(f'<td class="n">{points:.2f}</td>' for points in auction["taler"])
        assert rates in row


def test_a_name_cannot_put_anything_into_the_page(found: dict[str, Any]) -> None:
    game = finished_game(*GAME)
    players = ["</script><b>x", '"><i>', "& Co"]
    text = page(game.board, game.record(), {**found, "players": players}, "en")
    assert "</script><b>x" not in text and '"><i>' not in text.split("<script")[0]
