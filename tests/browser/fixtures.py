"""Positions of real games as the server tells them: `python -m tests.browser.fixtures`.

The client's own tests and the gallery of screenshots live on these files.
"""

import json
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from industry.boards import load_board
from industry.bots.levels import Foreman
from industry.engine import IllegalMove, Phase
from industry.notation import Game, new_game
from industry.server.board_info import board_info
from industry.server.game_view import game_changes, game_view
from industry.server.previews import choices_of, field_report, wire_refusal
from industry.server.protocol.view import Proof
from industry.server.wire_events import Wire, wire_event

GAMES = {"industry-4": ("industry", 4), "industria-3": ("industria", 3)}
TARGET = Path(__file__).parents[2] / "web" / "src" / "fixtures"
TABLE = "fixture00000"
VIEWS_EVERY = 20
"""So many moves apart the game's own view is kept, to hold the client's against it."""
BEGIN = 1_790_000_000_000
NAMES = ("Ana", "Bo", "Cy", "Dee")

Wanted = Callable[[Game], bool]


def phase_of_first(game: Game, phase: Phase, *eras: int) -> bool:
    state = game.position.state
    return game.to_move == 1 and state.phase == phase and state.era + 1 in eras


STATES: dict[str, Wanted] = {
    "offer": lambda game: phase_of_first(game, Phase.OFFER, 3, 4) and len(game.legal_moves()) > 2,
    "bid": lambda game: (
        phase_of_first(game, Phase.BID, 3, 4)
        and game.position.state.high_bid > 0
        and is_factory(game)
        and len(game.legal_moves()) > 4
    ),
    "settle": lambda game: (
        phase_of_first(game, Phase.SETTLE, 3, 4)
        and is_factory(game)
        and len(game.legal_moves()) > 1
    ),
    "develop": lambda game: (
        phase_of_first(game, Phase.DEVELOP, 2, 3, 4, 5)
        and len({*map(developed, game.legal_moves())}) > 2
        and has_choice(game)
    ),
    "waiting": lambda game: game.to_move == 3 and game.position.state.era == 3,
    "over": lambda game: game.is_over,
}


def is_factory(game: Game) -> bool:
    return game.board.fields[game.position.state.offered].kind == "factory"


def has_choice(game: Game) -> bool:
    """Some field can be developed in several ways."""
    fields = [developed(line) for line in game.legal_moves()]
    return any(fields.count(field) > 1 for field in fields if field)


def developed(line: str) -> str:
    return line.split()[2] if " develop " in line else ""


def played(edition: str, players: int, seed: str) -> Iterator[Game]:
    """The same game again and again while four of a kind play it; one of them takes the subsidy."""
    game = new_game(NAMES[:players], edition=edition, seed=seed)
    bot, rng = Foreman(), Random(seed)
    while True:
        yield game
        if game.is_over:
            return
        if game.to_move is None:
            game.draw()
        elif len(game.moves) > 118 and "4 subsidy" in game.legal_moves():
            game.play("4 subsidy")
        else:
            position = game.position
            game.play(bot.choose(position, position.legal_moves, 1.0, rng))


def fixture(edition: str, players: int) -> Wire:
    """The first game in which everything happens that there should be a picture of."""
    for number in count():
        found = one_game(played(edition, players, f"club {number}"))
        if len(found["states"]) == len(STATES):
            return found
    raise AssertionError


def one_game(games: Iterator[Game]) -> Wire:
    """A whole game: its log, views along the way, and all that is asked at some moments."""
    views: dict[int, Wire] = {}
    states: dict[str, Wire] = {}
    for game in games:
        if len(game.moves) % VIEWS_EVERY == 0 or game.is_over:
            views[len(game.moves)] = view_of(game)
        for name, is_wanted in STATES.items():
            if name not in states and is_wanted(game):
                states[name] = state_of(game)
    return {
        "table": table_of(game),
        "steps": steps_of(game),
        "views": views,
        "states": states,
    }


def view_of(game: Game) -> Wire:
    return game_view(game.position, len(game.moves), game.board, closed=False).view


def state_of(game: Game) -> Wire:
    """One moment, with the answers to what a person at seat 1 would ask."""
    mine = game.to_move == 1
    reports = {
        field.id: field_report(game.position, game.board, field.id) for field in game.board.fields
    }
    return {
        "moves": len(game.moves),
        "view": view_of(game),
        "legal": game.legal_moves() if mine else [],
        "choices": choices_of(game.position, game.board, 0) if mine else [],
        "worth": {field: report["worth"] for field, report in reports.items()},
        "prospects": {field: report["prospects"] for field, report in reports.items()},
        "why": refusals(game) if mine else {},
    }


def refusals(game: Game) -> dict[str, Wire]:
    """Why not: one Taler more than one has, and every field that cannot be developed."""
    lines = [f"1 bid {game.position.state.talers[0] + 1}", "1 claim", "1 sell", "1 subsidy"]
    for field in game.board.fields:
        needs = "".join(f" {need}=bank" for need in field.needs)
        lines.append(f"1 develop {field.id}{needs}")
    found = {}
    legal = set(game.legal_moves())
    for line in lines:
        if line not in legal:
            try:
                game.play(line)
            except IllegalMove as error:
                found[line] = wire_refusal(error.refusal, game.board, "en", NAMES)
    return found


def steps_of(game: Game) -> list[Wire]:
    """The whole game again, entry by entry, with what each of them changed."""
    again = Game(game.board, game.players, game.starting_player, game.options)
    seen = game_view(again.position, 0, again.board, closed=False)
    changed: list[Wire] = [seen.view]
    for line in game.lines():
        again.play(line)
        after = game_view(again.position, len(again.moves), again.board, False, seen)
        changed.append(game_changes(seen.view, after.view))
        seen = after
    entries = entries_of(game)
    return [
        {"entry": entry, "changed": {"version": entry["version"], "game": part}}
        for entry, part in zip(entries, changed, strict=True)
    ]


def entries_of(game: Game) -> list[Wire]:
    started = {"kind": "started", "line": None, "how": None, "seat": None}
    heads = [started] + [head_of(line) for line in game.lines()]
    return [
        {
            "version": version,
            "at": BEGIN + version * 7_000,
            "moves": None,
            "reason": None,
            "name": None,
            **head,
            "events": [wire_event(event, game.board.resources) for event in events],
        }
        for version, (head, events) in enumerate(zip(heads, game.events, strict=True), start=5)
    ]


def head_of(line: str) -> Wire:
    seat = None if line.startswith("draw") else int(line[0])
    how = "chance" if seat is None else "player" if seat == 1 else "bot"
    return {"kind": "move", "line": line, "how": how, "seat": seat}


def table_of(game: Game) -> Wire:
    """The table around the game, as far as its view needs it."""
    return {
        "table": TABLE,
        "version": 5,
        "status": "running",
        "options": {
            "edition": game.board.edition,
            "players": len(game.players),
            "board": game.board.id,
            "rules": game.options,
            "seating": "as_joined",
            "undo": "own_last",
            "auto_forced": False,
            "clock": "none",
            "zombie": "passive",
            "listed": False,
        },
        "board_hash": game.board.hash,
        "created": BEGIN,
        "seats": [
            {
                "seat": seat,
                "kind": "human" if seat in (1, 4) else "bot",
                "name": name,
                "bot": None if seat in (1, 4) else "foreman",
                "absent": False,
                "claimed": True,
            }
            for seat, name in enumerate(game.players, start=1)
        ],
        "clock": {"remaining": [], "deadline": None},
        "proof": Proof().model_dump(),
        "next_table": None,
        "game": None,
    }


def written() -> dict[str, Any]:
    """All files by name."""
    files: dict[str, Any] = {}
    for name, (edition, players) in GAMES.items():
        files[f"game-{name}.json"] = fixture(edition, players)
        files[f"board-{edition}.json"] = board_info(load_board(edition)).model_dump()
    return files


if __name__ == "__main__":
    TARGET.mkdir(exist_ok=True)
    for name, data in written().items():
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        (TARGET / name).write_text(text + "\n", encoding="utf-8")
        sys.stdout.write(f"{name}: {len(text)} characters\n")
