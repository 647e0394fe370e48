"""Whatever is sent over HTTP gets a coded answer, and what is refused changes nothing."""

from collections.abc import Iterator
from typing import Any, get_args

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
)

from industry.server.app import make_app
from industry.server.protocol.server import ErrorCode
from industry.server.service import Service
from industry.server.store import Store

from .playing import Json, RandomPool, Server, served

Case = schemathesis.Case[Any]
AS_PUBLISHED = (response_schema_conformance, content_type_conformance)
CODES = frozenset(get_args(ErrorCode))
INSIDE = ("Traceback", 'File "', "sqlalchemy", "pydantic", "psycopg", "sqlite", ".py")
"""Words that tell of the server's inside."""

unopened = Service(Store("sqlite:///unopened.db"), RandomPool())
api = schemathesis.openapi.from_dict(make_app(unopened).openapi())
api.config.phases.coverage.enabled = False  # hundreds of requests for each route
tables = api.include(path_regex=r"\{table\}")
quick = settings(
    max_examples=10, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
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
    return server.service.lives[table].table.version


@api.parametrize()
@quick
def test_every_request_gets_an_answer_of_the_protocol(case: Case, server: Server) -> None:
    expect_protocol(case, case.call(base_url=server.url))


@tables.parametrize()
@quick
def test_strangers_at_a_running_table_change_nothing(case: Case, server: Server, game: str) -> None:
    before = version(server, game)
    case.path_parameters = {"table": game}
    expect_protocol(case, case.call(base_url=server.url))
    assert version(server, game) == before


@tables.parametrize()
@quick
def test_what_a_host_is_refused_changes_nothing(case: Case, server: Server, lobby: Json) -> None:
    before = version(server, lobby["table"])
    case.path_parameters = {"table": lobby["table"]}
    headers = {"Authorization": f"Bearer {lobby['host']}"}
    response = case.call(base_url=server.url, headers=headers)
    expect_protocol(case, response)
    if response.status_code >= 400 or case.method == "GET":
        assert version(server, lobby["table"]) == before


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
