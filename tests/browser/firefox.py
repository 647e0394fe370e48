"""A real Firefox, driven by Marionette, that subscribes at a push service of the tests.

Chromium subscribes only at its maker's push service; Firefox takes the address from its settings.
`INDUSTRY_FIREFOX` names the program, else it is `firefox` or `firefox-esr`.
"""

import base64
import json
import os
import shutil
import socket
import subprocess
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import Server, ServerConnection, serve

from tests.server.notices.receiving import Receiver
from tests.support.ports import free_port
from tests.support.waiting import wait_until

Json = dict[str, Any]
PATIENCE = 120.0
OPTIONS = ("--headless", "--no-remote", "--marionette", "--remote-allow-system-access")
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key of an element, as WebDriver names it."""
SETTINGS: Json = {
    "alerts.useSystemBackend": False,
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.push.connection.enabled": True,
    "dom.push.testing.allowInsecureServerURL": True,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "remote.prefs.recommended": False,
    "services.settings.server": "http://127.0.0.1:1",
    "toolkit.telemetry.enabled": False,
}
"""So that it asks nobody else for anything."""


def installed_firefox() -> str | None:
    """Returns the program, if there is one."""
    named = os.environ.get("INDUSTRY_FIREFOX")
    return named or shutil.which("firefox") or shutil.which("firefox-esr")


class PushService:
    """What Mozilla's push service does: a socket for the browser, and endpoints for servers."""

    def __init__(self, web: Receiver) -> None:
        self._web = web
        self._paths: dict[str, str] = {}
        """Of the endpoint, by channel."""
        self.acknowledged: list[int] = []
        """What became of the messages: 100 means that the service worker has handled it."""
        self._server: Server = serve(self._talk, "127.0.0.1", 0)
        port = self._server.socket.getsockname()[1]
        self.url = f"ws://127.0.0.1:{port}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()

    def _talk(self, line: ServerConnection) -> None:
        sent: dict[str, int] = {}
        with suppress(ConnectionClosed):
            while True:
                with suppress(TimeoutError):
                    self._answer(line, json.loads(line.recv(timeout=0.05)))
                for channel, path in list(self._paths.items()):
                    for call in self._web.taken(path)[sent.get(channel, 0) :]:
                        sent[channel] = sent.get(channel, 0) + 1
                        line.send(json.dumps(self._notification(channel, call.body)))

    def _answer(self, line: ServerConnection, message: Json) -> None:
        match message.get("messageType"):
            case "hello":
                known = {"uaid": message.get("uaid") or uuid.uuid4().hex, "use_webpush": True}
                line.send(json.dumps({"messageType": "hello", "status": 200, **known}))
            case "register":
                channel = message["channelID"]
                self._paths[channel] = path = f"/push/{uuid.uuid4().hex}"
                made = {"channelID": channel, "pushEndpoint": self._web.url + path}
                line.send(json.dumps({"messageType": "register", "status": 200, **made}))
            case "unregister":
                self._paths.pop(message["channelID"], None)
                line.send(json.dumps({**message, "status": 200}))
            case "ack":
                self.acknowledged.append(message["updates"][0].get("code", 0))
            case _:
                line.send("{}")

    @staticmethod
    def _notification(channel: str, body: bytes) -> Json:
        data = base64.urlsafe_b64encode(body).decode().rstrip("=")
        return {
            "messageType": "notification",
            "channelID": channel,
            "version": uuid.uuid4().hex,
            "data": data,
            "headers": {"encoding": "aes128gcm"},
        }


class Firefox:
    """A browser window, as far as the tests use it."""

    def __init__(self, program: str, folder: Path, push_url: str) -> None:
        port = free_port()
        settings = SETTINGS | {"marionette.port": port, "dom.push.serverURL": push_url}
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in settings.items()]
        (folder / "user.js").write_text("\n".join(lines), encoding="utf-8")
        self._log = (folder / "log").open("wb")
        self._process = subprocess.Popen(
            [program, *OPTIONS, "--profile", str(folder)],
            stdout=self._log,
            stderr=self._log,
            env=os.environ | {"MOZ_DISABLE_CONTENT_SANDBOX": "1", "HOME": str(folder)},
        )
        self._number = 0
        self._line = self._connected(port)
        self._read()  # what it says first
        self.ask("WebDriver:NewSession", {"capabilities": {}})

    def _connected(self, port: int) -> socket.socket:
        found: list[socket.socket] = []

        def is_there() -> bool:
            assert self._process.poll() is None, "Firefox has ended"
            with suppress(OSError):
                found.append(socket.create_connection(("127.0.0.1", port), PATIENCE))
            return bool(found)

        wait_until(is_there, "Firefox does not answer", 0.2)
        return found[0]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._line.close()
        self._process.kill()
        self._process.wait(PATIENCE)
        self._log.close()

    def ask(self, name: str, values: Json | None = None) -> Any:
        """Sends a command; returns its answer."""
        self._number += 1
        text = json.dumps([0, self._number, name, values or {}])
        self._line.sendall(f"{len(text.encode())}:{text}".encode())
        _, _, error, answer = self._read()
        assert error is None, error
        return answer.get("value") if isinstance(answer, dict) and "value" in answer else answer

    def _read(self) -> Any:
        size = b""
        while not size.endswith(b":"):
            size += self._line.recv(1)
        body = b""
        while len(body) < int(size[:-1]):
            body += self._line.recv(int(size[:-1]) - len(body))
        return json.loads(body)

    def go(self, url: str) -> None:
        self.ask("WebDriver:Navigate", {"url": url})

    def run(self, script: str, *args: object) -> Any:
        """Runs the body of an async function in the page."""
        wrapped = (
            "const told = arguments[arguments.length - 1];"
            f"(async (...args) => {{ {script} }})(...arguments)"
            ".then(told, (error) => told(`failed: ${error}`))"
        )
        return self.ask("WebDriver:ExecuteAsyncScript", {"script": wrapped, "args": list(args)})

    def inside(self, script: str, *args: object) -> Any:
        """Runs a script with the rights of the browser itself."""
        self.ask("Marionette:SetContext", {"value": "chrome"})
        try:
            return self.ask("WebDriver:ExecuteScript", {"script": script, "args": list(args)})
        finally:
            self.ask("Marionette:SetContext", {"value": "content"})

    def element(self, xpath: str) -> str:
        """Waits for an element."""
        found: list[Any] = []

        def is_there() -> bool:
            wish = {"using": "xpath", "value": xpath}
            found[:] = self.ask("WebDriver:FindElements", wish)
            return bool(found)

        wait_until(is_there, f"there is no {xpath}")
        return str(found[0][ELEMENT])

    def press(self, text: str) -> None:
        """Clicks on a button."""
        name = f"normalize-space()='{text}' or @aria-label='{text}'"
        self.ask("WebDriver:ElementClick", {"id": self.element(f"//button[{name}]")})

    def fill(self, label: str, text: str) -> None:
        field = self.element(f"//label[contains(normalize-space(), '{label}')]//input")
        self.ask("WebDriver:ElementSendKeys", {"id": field, "text": text})

    def allow_notifications(self, site: str) -> None:
        """Answers for the owner, who is asked in a window that no script can reach."""
        self.inside(
            "const principal = Services.scriptSecurityManager.createContentPrincipalFromOrigin("
            "arguments[0]); Services.perms.addFromPrincipal(principal, 'desktop-notification', "
            "Services.perms.ALLOW_ACTION)",
            site,
        )


@contextmanager
def firefox(program: str, folder: Path, web: Receiver) -> Iterator[tuple[Firefox, PushService]]:
    """A Firefox with an empty profile, and its push service."""
    folder.mkdir(parents=True, exist_ok=True)
    service = PushService(web)
    try:
        with Firefox(program, folder, service.url) as browser:
            yield browser, service
    finally:
        service.stop()
