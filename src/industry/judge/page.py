"""Writes the page of a review: one self-contained file for any browser and any screen."""

import json
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from industry.boards import BoardSpec
from industry.boards.spec import FIELD_INDEX
from industry.engine import COLUMN_LETTERS, COLUMNS, ERAS, FIELDS, Position, Status, Token, field_id
from industry.notation import Record, replay_steps
from industry.notation.explain import field_name
from industry.texts import say

from .pictures import MARKS, TERMS, chart, waterfall
from .words import percent, sentences, signed

MOST = 200
"""The most decisions that the page shows."""
LOSSES = (("", 0.0), ("small", 0.02), ("mistake", 0.05), ("blunder", 0.10))
KINDS = ("offer", "bid", "settle", "develop")

Review = dict[str, Any]


class _Page:
    """The sections of a page in one language."""

    def __init__(self, board: BoardSpec, record: Record, review: Review, language: str) -> None:
        self.board = board
        self.review = review
        self.language = language
        self.players: list[str] = review["players"]
        self.positions = [game.position for game in replay_steps(record, board)]
        made = sorted(review["decisions"], key=lambda entry: -entry["loss"])
        self.decisions = [entry for entry in made if entry["loss"] > 0][:MOST]

    def page_text(self, key: str, **values: object) -> str:
        """Returns a text of the page, safe in HTML."""
        return escape(say(f"review.page.{key}", self.language, **values))

    def column_text(self, key: str) -> str:
        return escape(say(f"review.column.{key}", self.language))

    def player(self, seat: int) -> str:
        """Returns sign and name of a seat, from 0."""
        return f'<span class="s{seat}">{MARKS[seat]}</span> {escape(self.players[seat])}'

    def html(self) -> str:
        """Returns the whole file; it asks the network for nothing."""
        folder = files(__package__)
        style = folder.joinpath("page.css").read_text(encoding="utf-8")
        script = folder.joinpath("page.js").read_text(encoding="utf-8")
        title = self.page_text("title", players=", ".join(self.players))
        body = "".join((self._account(), self._chances(), self._decisions(), self._auctions()))
        return (
            f'<!doctype html>\n<html lang="{self.language}">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
            f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
            f'<header><h1>{title}</h1><p class="soft">{self._lead()}</p></header>\n'
            f"<main>{body}</main>\n<footer><p>{self._foot()}</p></footer>\n"
            f'<script type="application/json" id="data">{self._data()}</script>\n'
            f"<script>\n{script}</script>\n</body>\n</html>\n"
        )

    def _lead(self) -> str:
        edition = say(f"edition.{self.review['edition']}", self.language)
        return self.page_text(
            "lead",
            edition=edition,
            board=self.review["board"],
            lines=self.review["lines"],
            seed=self.review["seed"],
        )

    def _foot(self) -> str:
        return self.page_text("foot", version=self.review["versions"]["program"])

    def _data(self) -> str:
        states = {
            entry["move"]: self._state(self.positions[entry["move"]]) for entry in self.decisions
        }
        count = say("review.page.count", self.language, shown="{shown}")
        data = {"players": self.players, "count": count, "states": states}
        return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")

    def _state(self, position: Position) -> dict[str, str]:
        """Returns a position for the script: one letter per field, and a line of text."""
        state = position.state
        purses = ", ".join(
            f"{name} {say('talers', self.language, count=int(talers))}"
            for name, talers in zip(self.players, state.talers, strict=False)
        )
        text = say(
            "review.page.state",
            self.language,
            era=state.era + 1,
            round=state.round_number,
            purses=purses,
        )
        return {"text": text, "fields": "".join(field_codes(position))}

    def _account(self) -> str:
        cards = []
        for number, seat in enumerate(self.review["seats"]):
            values = {
                term: (percent if term in ("start", "result") else signed)(
                    seat[term], self.language
                )
                for term in TERMS
            }
            label = say(
                "review.page.account_of", self.language, player=self.players[number], **values
            )
            cards.append(
                f'<div class="card"><h3>{self.player(number)}</h3>'
                f"{waterfall(seat, label, self.language)}</div>"
            )
        return (
            f"<section><h2>{self.page_text('account')}</h2><p>{self.page_text('account_text')}</p>"
            f'<div class="cards">{"".join(cards)}</div>'
            f"<h2>{self.page_text('gifts')}</h2>{self._gifts()}</section>"
        )

    def _gifts(self) -> str:
        """Returns a table of givers by row and receivers by column."""
        seats = range(len(self.players))
        given = {
            (gift["from"] - 1, gift["to"] - 1): gift["amount"] for gift in self.review["gifts"]
        }
        rows = [
            [
                self.player(giver),
                *(
                    signed(given[giver, seat], self.language) if giver != seat else "–"
                    for seat in seats
                ),
            ]
            for giver in seats
        ]
        heads = [self.page_text("gift_rows"), *(self.player(seat) for seat in seats)]
        return table(heads, rows, numbers=tuple(range(1, len(heads))))

    def _chances(self) -> str:
        events = self.review["events"]
        chances = [event["win"] for event in events]
        chances.append([seat["result"] for seat in self.review["seats"]])
        eras: dict[int, int] = {}
        for move, position in enumerate(self.positions):
            eras.setdefault(int(position.state.era), move)
        starts = {move: era + 1 for era, move in eras.items()}
        label = say("review.page.chances_label", self.language)
        rows = [
            [str(event["move"] + 1), *(percent(share, self.language) for share in event["win"])]
            for event in events
            if event["kind"] == "draw"
        ]
        heads = [
            self.page_text("before_move"),
            *(self.player(seat) for seat in range(len(self.players))),
        ]
        numbers = range(1, len(heads))
        picture = chart(chances, starts, label, self.language)
        return (
            f"<section><h2>{self.page_text('chances')}</h2>"
            f'<div class="card chart" tabindex="0">{picture}</div>'
            f"<details><summary>{self.page_text('chances_table')}</summary>"
            f"{table(heads, rows, numbers=tuple(numbers))}</details></section>"
        )

    def _decisions(self) -> str:
        entries = "".join(self._entry(entry) for entry in self.decisions)
        return (
            f'<section><h2 id="by-loss">{self.page_text("decisions")}</h2>'
            f'<div class="filters" hidden>{"".join(self._filters())}</div>'
            '<p class="soft" id="count" role="status"></p>'
            f'<p id="none" hidden>{self.page_text("nothing")}</p>'
            f'<div class="split"><ol class="list" id="decisions">{entries}</ol>'
            f'<aside id="place" hidden aria-label="{self.page_text("board")}">'
            f'<h3>{self.page_text("board")}</h3><p id="state" role="status"></p>'
            f'<div class="scroll" tabindex="0">{self._board()}</div>'
            f'<p class="soft">{self.page_text("legend")}</p></aside></div></section>'
        )

    def _filters(self) -> Iterator[str]:
        words = {name: say(f"review.verdict.{name}", self.language) for name, _ in LOSSES[1:]}
        losses = [(str(least), words.get(name) or self.page_text("all")) for name, least in LOSSES]
        yield choice("loss", self.page_text("filter"), losses)
        seats = [(str(seat + 1), escape(name)) for seat, name in enumerate(self.players)]
        yield choice("seat", self.page_text("seat"), [("", self.page_text("everyone")), *seats])
        kinds = [(kind, escape(say(f"phase.{kind}", self.language))) for kind in KINDS]
        yield choice("kind", self.page_text("kind"), [("", self.page_text("any")), *kinds])
        eras = [(str(era + 1), str(era + 1)) for era in range(ERAS)]
        yield choice("era", self.page_text("eras"), [("", self.page_text("any")), *eras])

    def _entry(self, entry: dict[str, Any]) -> str:
        seat = entry["seat"] - 1
        era = self.positions[entry["move"]].state.era + 1
        texts = sentences(entry, self.players, self.board, self.language)
        verdict = escape(say(f"review.verdict.{entry['verdict']}", self.language))
        loss = percent(entry["loss"], self.language)
        select = self.page_text("select")
        return (
            f'<li data-move="{entry["move"]}" data-loss="{entry["loss"]:.6f}" '
            f'data-seat="{entry["seat"]}" data-kind="{entry["kind"]}" data-era="{era}">'
            f'<div class="head"><span>{entry["move"] + 1}</span><span>{self.player(seat)}</span>'
            f'<span class="tag v-{entry["verdict"]}">{verdict}</span><span>{loss}</span></div>'
            f"{''.join(f'<p>{escape(text)}</p>' for text in texts)}"
            f'<button type="button" hidden aria-pressed="false">{select}</button></li>'
        )

    def _board(self) -> str:
        heads = "".join(f'<th scope="col">{letter}</th>' for letter in COLUMN_LETTERS)
        rows = []
        for era in range(ERAS):
            cells = "".join(
                f'<td data-name="{escape(field_name(self.board, field, self.language))}">'
                f"<span>{field_id(field)}</span><b></b></td>"
                for field in range(era * COLUMNS, (era + 1) * COLUMNS)
            )
            rows.append(f'<tr><th scope="row">{era + 1}</th>{cells}</tr>')
        return f'<table class="board"><tr><td></td>{heads}</tr>{"".join(rows)}</table>'

    def _auctions(self) -> str:
        seats = range(len(self.players))
        heads = [self.column_text("number"), self.column_text("field"), self.column_text("owner")]
        heads += [
            self.column_text("price"),
            self.column_text("perfect"),
            self.column_text("surplus"),
        ]
        for key in ("worth", "taler", "chance", "denial", "regret"):
            heads += [f"{self.column_text(key)} {MARKS[seat]}" for seat in seats]
        rows = [self._auction(auction) for auction in self.review["auctions"]]
        numbers = (0, *range(3, len(heads)))
        shown = table(heads, rows, numbers=numbers)
        return f"<section><h2>{self.page_text('auctions')}</h2>{shown}</section>"

    def _auction(self, auction: dict[str, Any]) -> list[str]:
        field = field_name(self.board, FIELD_INDEX[auction["field"]], self.language)
        perfect = auction["perfect"]
        return [
            str(auction["move"] + 1),
            escape(field),
            self.player(auction["owner"] - 1),
            str(auction["price"]),
            f"{perfect['price']} {MARKS[perfect['owner'] - 1]}",
            f"{auction['surplus']:+.1f}",
            *(f"{talers:.1f}" for talers in auction["talers"]),
            *(f"{points:.2f}" for points in auction["taler"]),
            *(signed(share, self.language) for share in auction["win"]),
            *(percent(share, self.language) for share in auction["denial"]),
            *(percent(share, self.language) for share in auction["regret"]),
        ]


def field_codes(position: Position) -> Iterator[str]:
    """Yields one letter per field: a-d owned, A-D developed, 1-4 joker held, o on offer or
    available, x lapsed or spent, and a dot for everything else."""
    state = position.state
    for field in range(FIELDS):
        seat, status = int(state.owner[field]), state.status[field]
        is_here = field // COLUMNS == state.era
        if status == Status.UNDEVELOPED:
            yield "abcd"[seat]
        elif status == Status.DEVELOPED:
            yield "ABCD"[seat]
        elif status == Status.HELD:
            yield "1234"[seat]
        elif status in (Status.LAPSED, Status.SPENT):
            yield "x"
        elif is_here and state.tokens[field % COLUMNS] == Token.FACE_UP:
            yield "o"
        else:
            yield "."


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: tuple[int, ...]) -> str:
    """Returns a table; cells are HTML, and the columns `numbers` are aligned to the right."""

    def cell(tag: str, place: int, text: str) -> str:
        align = ' class="n"' if place in numbers else ""
        scope = ' scope="col"' if tag == "th" else ""
        return f"<{tag}{scope}{align}>{text}</{tag}>"

    def row(tag: str, cells: Sequence[str]) -> str:
        return f"<tr>{''.join(cell(tag, place, text) for place, text in enumerate(cells))}</tr>"

    body = "".join(row("td", cells) for cells in rows)
    return (
        f'<div class="scroll" tabindex="0"><table><thead>{row("th", heads)}</thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def choice(name: str, label: str, options: Sequence[tuple[str, str]]) -> str:
    """Returns a labelled drop-down list; its texts are HTML."""
    entries = "".join(f'<option value="{value}">{text}</option>' for value, text in options)
    return f'<label>{label} <select name="{name}">{entries}</select></label>'


def page(board: BoardSpec, record: Record, review: Review, language: str) -> str:
    """Returns the page of a review: one file that asks the network for nothing."""
    return _Page(board, record, review, language).html()
