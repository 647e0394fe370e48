"""Whatever is sent over HTTP gets a coded answer, and what is refused changes nothing."""

from collections.abc import Callable, Iterator
from typing import Any, get_args

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import SearchStrategy
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
)

from industry.server.app import make_app
from industry.server.protocol.server import ErrorCode
from industry.server.service import Service
from industry.server.store import Store
from tests.support import proof

from .playing import Json, RandomPool, Server, served

Case = schemathesis.Case[Any]
AS_PUBLISHED = (response_schema_conformance, content_type_conformance)
CODES = frozenset(get_args(ErrorCode))
INSIDE = ("Traceback", 'File "', "sqlalchemy", "pydantic", "psycopg", "sqlite", ".py")
"""Words that reveal the server's inside."""

unopened = Service(Store("sqlite:///unopened.db"), RandomPool())
api = schemathesis.openapi.from_dict(make_app(unopened).openapi())
routes: Any = api.get_all_operations()
ROUTES = {route.ok().label: route.ok() for route in routes}
OF_TABLES = [label for label in ROUTES if "{table}" in label]
quick = settings(
    max_examples=proof.amount(4, 100),
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("fuzz")
    with served(f"sqlite:///{folder / 'tables.db'}", RandomPool()) as running:
        yield running


@pytest.fixture(scope="module")
def game(server: Server) -> Iterator[str]:
    """A running game, whose players are elsewhere: nothing may happen there."""
    table: str = server.make("human", "human", "human")["table"]
    before = server.log(table)
    yield table
    assert server.log(table) == before


@pytest.fixture(scope="module")
def lobby(server: Server) -> Json:
    """A table that still has seats."""
    return server.make("human", "open", "open", "open")


def version(server: Server, table: str) -> int:
    return server.service.live_tables[table].table.version


def send_anything(label: str, check: Callable[[Case], None]) -> None:
    """Check what comes of requests of all sorts to a route.

    Schemathesis could make tests of its own, but under one name for all routes: of those, tests
    that run side by side run only one.
    """
    requests: SearchStrategy[Case] = ROUTES[label].as_strategy()
    quick(given(requests)(check))()


@pytest.mark.parametrize("label", ROUTES)
def test_every_request_gets_an_answer_of_the_protocol(label: str, server: Server) -> None:
    def check(case: Case) -> None:
        expect_protocol(case, case.call(base_url=server.url))

    send_anything(label, check)


@pytest.mark.parametrize("label", OF_TABLES)
def test_strangers_at_a_running_table_change_nothing(label: str, server: Server, game: str) -> None:
    def check(case: Case) -> None:
        before = version(server, game)
        case.path_parameters = {**case.path_parameters, "table": game}
        expect_protocol(case, case.call(base_url=server.url))
        assert version(server, game) == before

    send_anything(label, check)


@pytest.mark.parametrize("label", OF_TABLES)
def test_what_a_host_is_refused_changes_nothing(label: str, server: Server, lobby: Json) -> None:
    headers = {"Authorization": f"Bearer {lobby['host']}"}

    def check(case: Case) -> None:
        before = version(server, lobby["table"])
        case.path_parameters = {**case.path_parameters, "table": lobby["table"]}
        response = case.call(base_url=server.url, headers=headers)
        expect_protocol(case, response)
        if response.status_code >= 400 or case.method == "GET":
            assert version(server, lobby["table"]) == before

    send_anything(label, check)


def expect_protocol(case: Case, response: schemathesis.Response) -> None:
    """No fault of the server, no word of its inside; success as published, else a code."""
    assert response.status_code < 500, response.text
    if response.status_code < 400:
        case.validate_response(response, checks=list(AS_PUBLISHED))
        return
    assert not any(word in response.text for word in INSIDE), response.text
    if case.method != "HEAD":
        problem = response.json()
        assert set(problem) == {"code", "detail"}
        assert problem["code"] in CODES
