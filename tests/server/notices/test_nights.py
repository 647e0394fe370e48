"""Night hours, also across midnight and when the clocks change."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from industry.server.notices.nights import end_of_night, is_zone
from industry.server.store.notices import Night

BERLIN = "Europe/Berlin"


def at(text: str, zone: str = BERLIN) -> int:
    moment = datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))
    return round(moment.timestamp() * 1000)


@pytest.mark.parametrize(
    ("begin", "end", "now", "expected"),
    [
        (22, 7, "2026-11-18 21:59", None),
        (22, 7, "2026-11-18 22:00", "2026-11-19 07:00"),
        (22, 7, "2026-11-19 06:59:59", "2026-11-19 07:00"),
        (22, 7, "2026-11-19 07:00", None),
        (0, 6, "2026-11-19 00:00", "2026-11-19 06:00"),
        (13, 14, "2026-11-19 13:30", "2026-11-19 14:00"),
        (13, 14, "2026-11-19 12:30", None),
        # the night in which clocks go forward is an hour shorter, the other one longer
        (22, 7, "2026-03-28 23:00", "2026-03-29 07:00"),
        (22, 7, "2026-10-24 23:00", "2026-10-25 07:00"),
    ],
)
def test_a_night_lasts_until_its_end(begin: int, end: int, now: str, expected: str | None) -> None:
    night = Night("x", begin * 60, end * 60, BERLIN)
    assert end_of_night(night, at(now)) == (at(expected) if expected else None)


def test_nights_follow_the_time_zone_of_their_owner() -> None:
    now = at("2026-11-18 23:00", BERLIN)
    assert end_of_night(Night("x", 22 * 60, 7 * 60, BERLIN), now) is not None
    assert end_of_night(Night("x", 22 * 60, 7 * 60, "America/New_York"), now) is None


@pytest.mark.parametrize("name", ["../etc/passwd", "", "Nowhere/City", "/etc/localtime"])
def test_what_is_no_time_zone_is_known_as_such(name: str) -> None:
    assert not is_zone(name)
    assert is_zone(BERLIN)
