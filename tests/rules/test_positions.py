"""Positions written as text are the positions that play leads to."""

import pytest

from .positions import new_scene, scene

STORY = {
    "era 1, offer, seat 1; talers 5 5 5; available 1A 1F 1K": ["draw 1A 1F 1K"],
    "era 1, bid on 1F, seat 2; talers 5 5 5; available 1A 1K": ["1 offer 1F"],
    "era 1, bid on 1F, seat 3; talers 5 5 5; available 1A 1K; seat 2: bid 2": ["2 bid 2"],
    "era 1, settle 1F, seat 1; talers 5 5 5; available 1A 1K; seat 2: bid 2": ["3 pass"],
    "era 1, offer, seat 2; talers 3 6 6; available 1A 1K; seat 1: 1F undeveloped": ["1 claim"],
    "era 1, bid on 1K, seat 3; talers 3 6 9; auctioneer 2; available 1A"
    "; seat 1: 1F undeveloped; seat 3: subsidy": ["2 offer 1K", "3 subsidy"],
    "era 1, offer, seat 3; talers 3 6 9; available 1A"
    "; seat 1: 1F undeveloped; seat 2: 1K undeveloped; seat 3: subsidy": ["3 pass", "1 pass"],
    "era 1, develop, seat 1; talers 3 6 9"
    "; seat 1: 1F undeveloped; seat 2: 1K undeveloped; seat 3: subsidy, joker 1A": [
        "3 offer 1A",
        "1 pass",
        "2 pass",
    ],
    "era 1, develop, seat 2; talers 1 6 9"
    "; seat 1: 1F developed; seat 2: 1K undeveloped; seat 3: subsidy, joker 1A": [
        "1 develop 1F",
        "1 done",
    ],
}
"""A round, step by step: the text of each position and the moves that lead to it."""


def test_a_round_can_be_told_in_texts() -> None:
    played = new_scene(players=3)
    for text, moves in STORY.items():
        played = played.play(*moves)
        written = scene(text)
        assert written.position.state == played.position.state, text


@pytest.mark.parametrize(
    "text",
    ["era 1, sleep; talers 5 5 5", "gold 5 5 5", "era 1, draw; talers 5 5; seat 1: 1E gone away"],
)
def test_a_text_that_says_nothing_is_refused(text: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        scene(text)
