"""Browsers of persons, without a browser: each keeps its own cookies."""

import uuid
from typing import Any

import httpx

from ..playing import PATIENCE, Json, Server


class Member:
    """Somebody with cookies. `name` makes a new person; `link` signs one in by it."""

    def __init__(self, server: Server, name: str = "", link: str = "") -> None:
        self.server = server
        self.cookies = httpx.Cookies()
        self.headers: dict[str, str] = {}
        self.link = link
        self.me: Json = {}
        if name:
            self.take(self.post("persons", name=name))
        elif link:
            self.take(self.post("session/link", secret=link))

    def take(self, entered: Json) -> None:
        self.me, self.link = entered["me"], entered["link"] or self.link

    def ask(self, method: str, path: str, **body: Any) -> httpx.Response:
        answer = httpx.request(
            method,
            f"{self.server.url}/api/{path}",
            json=body if method == "POST" else None,
            cookies=self.cookies,
            headers=self.headers,
            timeout=PATIENCE,
        )
        self.cookies.update(answer.cookies)
        return answer

    def post(self, path: str, **body: Any) -> Json:
        return self._found(self.ask("POST", path, **body))

    def get(self, path: str) -> Json:
        return self._found(self.ask("GET", path))

    @staticmethod
    def _found(answer: httpx.Response) -> Json:
        assert answer.is_success, answer.text
        found: Json = answer.json()
        return found

    def code(self, method: str, path: str, **body: Any) -> str:
        """What a request is refused with."""
        return str(self.ask(method, path, **body).json()["code"])

    def open_table(self, *others: str, **options: Any) -> Json:
        """A table with this person on the first seat."""
        seats: list[Json] = [{"kind": "human", "as_person": True}]
        for other in others:
            is_place = other in ("open", "human", "reserved")
            seats.append({"kind": other} if is_place else {"kind": "bot", "bot": other})
        options.setdefault("players", len(seats))
        return self.post("tables", id=uuid.uuid4().hex, options=options, seats=seats)

    def sit(self, table: str, **more: Any) -> Json:
        wish = {"id": uuid.uuid4().hex, "name": "x", "as_person": True, **more}
        return self.post(f"tables/{table}/seats", **wish)

    def tables(self) -> dict[str, Json]:
        return {one["table"]["table"]: one for one in self.get("me/tables")["tables"]}
