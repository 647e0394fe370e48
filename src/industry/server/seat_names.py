"""Names of the players at a table, as its log has them and as people read them."""

from industry.bots import bot_title
from industry.engine import MAX_SEATS
from industry.texts import has, say

from .protocol.base import MAX_PLAYER_NAME
from .seats import Seat
from .table_people import TablePeople


def bot_seat_name(bot: str, number: int) -> str:
    """Returns what the log calls the bot with this number, from 1, among its kind at a table."""
    title = bot_title(bot)
    if number == 1:
        return title[:MAX_PLAYER_NAME]
    return f"{title[: MAX_PLAYER_NAME - 2]} {number}"


def bot_number(bot: str, name: str) -> int | None:
    """Returns the number of the bot that the log calls by this name; None for any other name."""
    numbers = range(1, MAX_SEATS + 1)
    return next((number for number in numbers if bot_seat_name(bot, number) == name), None)


def seat_names(table: TablePeople, language: str) -> list[str]:
    """Returns the names of a table's players; the program's bots have one in every language."""
    return [seat_name(table, seat, language) for seat in table.seats]


def seat_name(table: TablePeople, seat: Seat, language: str) -> str:
    """Returns the name of the player at a seat, in the language of its reader."""
    key = f"pages.bot.{seat.bot}.name"
    if seat.bot_number is None or not has(key):
        return table.shown_name(seat.name)
    name = say(key, language)
    return name if seat.bot_number == 1 else f"{name} {seat.bot_number}"
