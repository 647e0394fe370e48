"""What notices say, in the language of their reader."""

import pytest

from industry.server.notices.words import words_of
from industry.server.store.notices import Notice

from ..tables import BOTS, Play


@pytest.mark.parametrize(
    ("language", "body"),
    [
        ("en", "Industry (2010) with Foreman and Foreman 2"),
        ("de", "Industry (2010) mit Vorarbeiter und Vorarbeiter 2"),
        ("fr", "Industry (2010) avec Contremaître et Contremaître 2"),
    ],
)
def test_a_notice_names_bots_as_the_page_does(language: str, body: str) -> None:
    draft = Play(["open"] * 3).draft()
    draft.take_seat("Ana", None, "")
    for seat in (1, 2):
        draft.place_bot(seat, "foreman", BOTS)
    notice = Notice("table", place=1, kind="turn", number=1, seat=1, created=0)
    assert words_of(notice, draft.table, language, "").body == body
