"""What notices say, in the language of the channel."""

import json
import re
from dataclasses import dataclass

from industry.notation.explain import join_words
from industry.texts import say

from ..cups.document import CupRound
from ..seat_names import seat_name
from ..store.notices import Channel, Notice
from ..table import Table
from .news import has_turn

MARKDOWN = re.compile(r"([\\*_~`|>\[\]()#@<:-])")
TITLES = {
    "turn": "message.turn",
    "full": "message.full",
    "cup": "message.ready",
    "over": "message.over",
}
"""What is said of each kind of notice."""
SLACK = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


@dataclass(frozen=True, slots=True)
class Words:
    """A notice as its reader sees it; `link` is empty where the server does not know its name."""

    title: str
    body: str
    link: str


def words_of(
    notice: Notice, table: Table, language: str, public_url: str, cup: CupRound | None = None
) -> Words:
    """Returns what to tell the holder of a place about a table, which may belong to a cup."""
    others = [
        seat_name(table, seat, language)
        for seat in table.seats
        if seat.place != notice.place and seat.kind in ("human", "bot")
    ]
    edition = say(f"edition.{table.options.edition}", language)
    body = say("message.body", language, edition=edition, others=join_words(others, language))
    link = f"{public_url}/table/{table.id}" if public_url else ""
    kind = "turn" if has_turn(table, notice) else notice.kind
    return Words(say(TITLES[kind], language), _in_cup(body, language, cup), link)


def _in_cup(body: str, language: str, cup: CupRound | None) -> str:
    if cup is None:
        return body
    if cup.number is None:
        return say("message.in_cup", language, cup=cup.cup, body=body)
    return say("message.in_round", language, cup=cup.cup, number=cup.number, body=body)


def trial_words(language: str, public_url: str) -> Words:
    """Returns what a test message says."""
    return Words(
        say("message.test.title", language), say("message.test.body", language), public_url
    )


def mail_text(words: Words, language: str, unsubscribe: str) -> str:
    """Returns the text of a mail; `unsubscribe` is the page where one ends them, if known."""
    end = say("message.stop", language, link=unsubscribe) if unsubscribe else ""
    parts = [f"{words.body}.", words.link, say("message.mail", language), end]
    return "\n\n".join(part for part in parts if part) + "\n"


def code_mail(code: str, language: str) -> tuple[str, str]:
    """Returns subject and text of the mail that asks whether the address is its reader's."""
    subject = say("message.code.subject", language, code=code)
    parts = say("message.code.ask", language), code, say("message.code.ignore", language)
    return subject, "\n\n".join(parts) + "\n"


def webhook_text(words: Words, form: str) -> str:
    """Returns a notice as Discord or Slack show it: names in it are nothing but names."""
    if form == "slack":
        body = "".join(SLACK.get(letter, letter) for letter in words.body)
        return f"*{words.title}*\n{body}\n{words.link}".strip()
    body = MARKDOWN.sub(r"\\\1", words.body)
    return f"**{words.title}**\n{body}\n{words.link}".strip()


def webhook_body(notice: Notice, channel: Channel, words: Words) -> bytes:
    """Returns the body of a call, in the form that its receiver reads."""
    if channel.kind == "discord":
        content: dict[str, object] = {
            "content": webhook_text(words, "discord"),
            "allowed_mentions": {"parse": []},
        }
    elif channel.kind == "slack":
        content = {"text": webhook_text(words, "slack")}
    else:
        content = {
            "type": notice.kind,
            "table": notice.table,
            "seat": notice.seat,
            "turn": notice.number,
            "at": notice.created,
        }
        if words.link:
            content["link"] = words.link
    return json.dumps(content, separators=(",", ":")).encode()
