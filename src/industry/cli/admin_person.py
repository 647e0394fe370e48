"""`industry admin person`: the persons of a club."""

import json
import time
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import click
from rich.table import Table
from sqlalchemy import Connection

from industry.server import archive
from industry.server.club.operator import READS, carry_out
from industry.server.errors import Refused
from industry.server.seat_links import NAMES_CHANGED
from industry.server.store import Store
from industry.server.tokens import TokenKeys
from industry.texts.sanitize import printable

from ._options import ANY_FILE
from ._server import DatabaseInUse, database_locked, settings_of
from .app import echo_json, json_option
from .archives import write_lines
from .database import (
    ask_server,
    database_option,
    echo_rows,
    force_option,
    read_database,
    rows_table,
    use_database,
    utc_minute,
)
from .files import Failure

Json = dict[str, Any]
REASONS = {
    "not_found": "there is no person {detail}.",
    "name_taken": "somebody has this name, or one that looks the same.",
    "bad_name": "this name cannot be shown: it has 1 to 24 visible characters.",
    "bad_options": "a person cannot be merged with itself.",
    "no_cup": "there is no cup {detail}.",
    "cup_started": "the cup has started already.",
    "cup_over": "the cup is over.",
    "cup_too_small": "a cup needs at least two players.",
    "busy": "somebody else has just changed it; please try again.",
}
person_argument = click.argument("person", metavar="NAME")


@click.group("person")
def person() -> None:
    """List, show, rename, merge, ban, invite, export and delete the persons of a club.

    NAME is a person's name, or the id that `list --json` prints. All of these commands work while
    the server runs.
    """


def run_action(database: str | None, what: str, **values: str) -> Json:
    """Carries out an action in the database, or through the server that uses it."""
    url = settings_of(None, database=database).database_url
    if what in READS:
        return read_database(url, lambda connection: _act(connection, what, values)[0])
    try:
        with database_locked(url):
            return use_database(url, lambda store: _write(store, what, values))
    except DatabaseInUse as held:  # a SQLite file belongs to its server, which does it itself
        return _ask_server(url, held, what, values)


def _act(connection: Connection, what: str, values: Json) -> tuple[Json, list[str]]:
    key = archive.server_key(connection)
    now = time.time_ns() // 1_000_000
    try:
        return carry_out(connection, TokenKeys(bytes.fromhex(key or "")), what, values, now)
    except Refused as refused:
        raise Failure(_reason(refused.code, refused.detail)) from None


async def _write(store: Store, what: str, values: Json) -> Json:
    await store.shared_key()
    answer, tables = await store.write(lambda connection: _act(connection, what, values))
    for table in tables:
        await store.send_chat(table, NAMES_CHANGED)
    return answer


def _ask_server(url: str, held: DatabaseInUse, what: str, values: Json) -> Json:
    """Asks the server that uses the database to carry out an action."""
    text = json.dumps(values)
    message = {"what": what, "values": text}
    try:
        answer = ask_server(
            url, held, "api/admin/club", message, lambda keys, at: keys.action(what, text, at)
        )
    except HTTPError as error:
        problem = json.loads(error.read() or b"{}")
        raise Failure(_reason(problem.get("code", ""), problem.get("detail", ""))) from None
    found: Json = json.loads(answer)
    return found


def _reason(code: str, detail: str) -> str:
    return REASONS.get(code, f"it was refused ({code}).").format(detail=printable(detail))


def echo_answer(answer: Json, as_json: bool, sentence: str) -> None:
    if as_json:
        echo_json(answer)
    else:
        click.echo(printable(sentence))


@person.command("list")
@database_option
@json_option
def list_persons(database: str | None, as_json: bool) -> None:
    """List all persons by name."""
    found = run_action(database, "list")["persons"]
    echo_rows(found, "person", _overview, as_json=as_json)


def _overview(found: list[Json]) -> Table:
    names = ("Name", "Id", "Tables", "Signs in by", "Last here (UTC)", "")
    return rows_table(map(_row, found), *names)


def _row(person: Json) -> list[object]:
    ways = [f"{person['passkeys']} passkeys"] if person["passkeys"] else []
    ways += ["link"] if person["has_link"] else []
    marks = [mark for mark in ("banned", "operator") if person[mark]]
    named = [person[key] for key in ("name", "id", "tables")]
    return [*named, ", ".join(ways), utc_minute(person["seen"]), ", ".join(marks)]


@person.command("show")
@person_argument
@database_option
@json_option
def show(person: str, database: str | None, as_json: bool) -> None:
    """Show what the operator may know about a person."""
    answer = run_action(database, "show", person=person)
    echo_answer(answer, as_json, "\n".join(f"{name}: {value}" for name, value in answer.items()))


@person.command("rename")
@person_argument
@click.argument("new", metavar="NEW-NAME")
@database_option
@json_option
def rename(person: str, new: str, database: str | None, as_json: bool) -> None:
    """Rename a person, also in past games."""
    answer = run_action(database, "rename", person=person, name=new)
    echo_answer(answer, as_json, f"{person} is now called {answer['name']}.")


@person.command("merge")
@person_argument
@click.argument("into", metavar="INTO")
@database_option
@json_option
def merge(person: str, into: str, database: str | None, as_json: bool) -> None:
    """Move all tables and passkeys of NAME to the person INTO, and delete NAME."""
    answer = run_action(database, "merge", person=person, into=into)
    echo_answer(
        answer,
        as_json,
        f"{person} is now part of {answer['name']}, with {answer['tables']} tables.",
    )


def _add_switch(name: str, what: str, outcome: str, explanation: str) -> None:
    @person.command(name, help=explanation)
    @person_argument
    @database_option
    @json_option
    def switch(person: str, database: str | None, as_json: bool) -> None:
        answer = run_action(database, what, person=person)
        echo_answer(answer, as_json, f"{answer['name']} {outcome}.")


_add_switch(
    "ban",
    "ban",
    "is signed out and cannot sign in",
    "Sign a person out everywhere, and refuse to sign them in again.",
)
_add_switch("unban", "unban", "can sign in again", "Let a banned person sign in again.")
_add_switch(
    "operator", "operator", "is an operator", "Give a person access to the operator's page."
)
_add_switch(
    "no-operator",
    "no_operator",
    "is no longer an operator",
    "Withdraw a person's access to the operator's page.",
)


@person.command("link")
@person_argument
@database_option
@json_option
def link(person: str, database: str | None, as_json: bool) -> None:
    """Make a new secret link for somebody who has lost every way to sign in."""
    answer = run_action(database, "link", person=person)
    echo_answer(answer, as_json, f"Give this to {person} only: /me#{answer['link']}")


@person.command("invite")
@database_option
@json_option
def invite(database: str | None, as_json: bool) -> None:
    """Make an invitation for one new person, valid for 30 days."""
    answer = run_action(database, "invite")
    echo_answer(
        answer,
        as_json,
        f"Send this to the person you invite: /me#invitation={answer['invitation']}",
    )


@person.command("export")
@person_argument
@click.option(
    "--out", type=ANY_FILE, required=True, help="The file to write; - is standard output."
)
@force_option
@database_option
def export(person: str, out: Path, force: bool, database: str | None) -> None:
    """Write everything that is stored about a person to a file."""
    answer = run_action(database, "export", person=person)
    write_lines(out, force, [json.dumps(answer, ensure_ascii=False)])


@person.command("delete")
@person_argument
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@database_option
@json_option
def delete(person: str, yes: bool, database: str | None, as_json: bool) -> None:
    """Delete a person; their games stay readable without their name."""
    if not yes:
        click.confirm(f"Delete {printable(person)} for good?", abort=True)
    answer = run_action(database, "delete", person=person)
    echo_answer(answer, as_json, f"{person} is deleted.")
