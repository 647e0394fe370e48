"""Night hours: when somebody wants no notices."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ..store.notices import Night

DAY = 24 * 60


def is_zone(name: str) -> bool:
    """Checks whether there is a time zone of this name."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def end_of_night(night: Night, now: int) -> int | None:
    """Returns when the night ends that lasts at this moment (milliseconds); None during the day."""
    zone = ZoneInfo(night.zone) if is_zone(night.zone) else UTC
    local = datetime.fromtimestamp(now / 1000, zone)
    minute = local.hour * 60 + local.minute
    if (minute - night.begin) % DAY >= (night.end - night.begin) % DAY:
        return None
    wait = (night.end - minute) % DAY
    end = local.replace(second=0, microsecond=0, tzinfo=None) + timedelta(minutes=wait)
    return round(end.replace(tzinfo=zone).timestamp() * 1000)
