"""The proxy examples of docs/operations.md: games through them, and tables that stay together."""

import asyncio
import re
import shutil
import subprocess
from contextlib import ExitStack
from pathlib import Path
from random import Random

import httpx
import pytest

from tests.support.waiting import until

from .forked import Forked
from .playing import free_port
from .witnesses import Party, check_exactly_once, check_history, make_party

DOCUMENT = Path(__file__).parents[2] / "docs" / "operations.md"
MOVES = 10

NGINX = """
pid {folder}/nginx.pid; error_log {folder}/error.log; daemon off;
events {{}}
http {{
    access_log off; client_body_temp_path {folder}; proxy_temp_path {folder};
    fastcgi_temp_path {folder}; uwsgi_temp_path {folder}; scgi_temp_path {folder};
    {upstream}
    {server}
}}
"""


def examples(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)


def nginx(folder: Path, port: int, ports: list[int]) -> list[str]:
    """The documented server block without TLS, before the documented upstream."""
    found = examples("nginx")
    upstream = next(text for text in found if "hash $table" in text)
    server = next(text for text in found if "ssl_certificate" in text)
    server = server[server.index("server {") :].replace("listen 443 ssl http2", f"listen {port}")
    server = re.sub(r"\s+ssl_.*;", "", server)
    upstream = upstream.replace("8001", str(ports[0])).replace("8002", str(ports[1]))
    file = folder / "nginx.conf"
    file.write_text(NGINX.format(folder=folder, upstream=upstream, server=server))
    return ["nginx", "-c", str(file)]


def caddy(folder: Path, port: int, ports: list[int]) -> list[str]:
    text = next(text for text in examples("text") if "uri_hash" in text)
    text = text.replace("games.example.org", f"http://127.0.0.1:{port}")
    text = text.replace("8001", str(ports[0])).replace("8002", str(ports[1]))
    file = folder / "Caddyfile"
    file.write_text(f"{{\n\tadmin off\n}}\n{text}")
    return ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"]


def sockets(server: Forked) -> int:
    page = httpx.get(f"{server.url}/metrics").text
    return int(float(re.findall(r"^industry_sockets (\S+)", page, re.MULTILINE)[0]))


@pytest.mark.proof
@pytest.mark.parametrize("name", ["nginx", "caddy"])
def test_sockets_of_a_table_meet_in_one_process_behind(
    name: str, tmp_path: Path, postgres_database: str
) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    with ExitStack() as stack:
        servers = [stack.enter_context(Forked(tmp_path, postgres_database)) for _ in range(2)]
        for server in servers:
            server.until_ready()
        port = free_port()
        command = (nginx if name == "nginx" else caddy)(tmp_path, port, [s.port for s in servers])
        proxy = subprocess.Popen(command)
        stack.callback(proxy.wait)
        stack.callback(proxy.terminate)
        asyncio.run(play(port, servers))


async def play(port: int, servers: list[Forked]) -> None:
    """Ten tables: each process serves whole tables, and both serve some."""

    def is_open() -> bool:
        try:
            return httpx.get(f"http://127.0.0.1:{port}/healthz").is_success
        except httpx.TransportError:
            return False

    await until(is_open, lambda: "the proxy does not answer", 0.1)
    parties: list[Party] = [await make_party(port, Random(n)) for n in range(10)]
    players = [witness for party in parties for witness in party.witnesses]
    tasks = [asyncio.create_task(player.run()) for player in players]

    def have_moved() -> bool:
        return all(len(player.told.entries) > MOVES for player in players)

    await until(have_moved, lambda: "nobody moves", 0.1)
    open_now = [await asyncio.to_thread(sockets, server) for server in servers]
    for player in players:
        player.stopping = True
    await asyncio.gather(*tasks)
    each = len(parties[0].witnesses)
    assert sum(open_now) == len(players)
    assert all(count and count % each == 0 for count in open_now), open_now
    for party in parties:
        path = f"/api/tables/{party.table}/log"
        entries = (await asyncio.to_thread(servers[0].get, path))["entries"]
        check_exactly_once(party.account(), check_history(party.account(), entries))
