"""Ratings on a server: each rated game counts once, for those who played it themselves."""

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Connection, select

from industry.server.ratings import counting
from industry.server.ratings import keeper as keeping
from industry.server.ratings.anchors import anchors
from industry.server.ratings.counting import count_game, recompute, standings_of
from industry.server.ratings.model import DAY, NEWCOMER
from industry.server.reviews.workers import NoAnswer
from industry.server.store.rating_schema import RATINGS, rating_games, rating_seats, ratings

from ..playing import RandomPool, Server, served
from .members import Member
from .rated import (
    KIND,
    begin_rated,
    counted,
    game,
    in_database,
    play_on,
    play_rated,
    rating_when_counted,
)


def a_member(server: Server, name: str) -> Member:
    return Member(server, f"{name} {uuid.uuid4().hex[:8]}")


def a_table() -> str:
    return uuid.uuid4().hex[:12]


def everything(connection: Connection) -> dict[str, list[tuple[object, ...]]]:
    """All rows about ratings."""
    return {
        part.name: [
            tuple(row) for row in connection.execute(select(part).order_by(*part.primary_key))
        ]
        for part in RATINGS
    }


def test_a_lone_player_gets_a_rating_by_playing_bots(clubs: Server) -> None:
    ana = a_member(clubs, "Ana")
    found = play_rated(ana)
    own = next(seat for seat in found["seats"] if seat["change"] is not None)
    assert own["change"] != 0 and not own["rating"]["known"] and not own["left"]
    assert sum(seat["chance"] for seat in found["seats"]) == pytest.approx(1)
    curve = ana.get(f"ratings/persons/{ana.me['id']}")["curves"][0]
    assert curve["games"] == 1
    assert curve["points"][0]["rating"]["rating"] == own["rating"]["rating"]
    rows = next(k for k in ana.get("ratings")["kinds"] if k["kind"]["players"] == 3)["rows"]
    assert ana.me["id"] in [row["id"] for row in rows]


def test_bots_keep_their_ratings(clubs: Server) -> None:
    play_rated(a_member(clubs, "Ana"))
    rows = in_database(clubs, lambda c: c.execute(select(rating_seats)).all())
    bots = [row for row in rows if row.bot]
    assert bots and all(row.rating_before == row.rating_after for row in bots)


def test_what_is_expected_is_shown_before_the_game(clubs: Server) -> None:
    ana = a_member(clubs, "Ana")
    made = begin_rated(ana, "open", "engineer")
    path = f"ratings/tables/{made['table']}"
    seats = ana.get(path)["seats"]
    assert [seat["chance"] for seat in seats] == [None, None, None]
    a_member(clubs, "Bo").sit(made["table"])
    told = ana.get(path)
    assert told["status"] == "expected"
    assert sum(seat["chance"] for seat in told["seats"]) == pytest.approx(1)
    assert sorted(seat["rating"]["known"] for seat in told["seats"]) == [False, False, True]


def test_other_games_change_no_rating(clubs: Server) -> None:
    ana = a_member(clubs, "Ana")
    made = ana.open_table("foreman", "foreman")
    play_on(ana, made)
    assert ana.get(f"ratings/tables/{made['table']}")["status"] == "unrated"
    play_rated(ana)  # counted after it
    assert ana.get(f"ratings/persons/{ana.me['id']}")["curves"][0]["games"] == 1


@pytest.mark.both_stores
def test_a_game_counts_once_however_many_count_it(clubs: Server) -> None:
    ana, bo, cy = (a_member(clubs, name).me["id"] for name in ("Ana", "Bo", "Cy"))
    games = [game(a_table(), (ana, bo, cy), (1, 2, 3)) for _ in range(6)]

    def count(number: int) -> bool:
        return in_database(clubs, lambda c: count_game(c, games[number % len(games)]))

    if clubs.service.store.is_shared:
        with ThreadPoolExecutor(8) as threads:
            done = list(threads.map(count, range(24)))
    else:
        done = [count(number) for number in range(24)]
    assert done.count(True) == len(games)
    standings = in_database(clubs, standings_of)
    assert standings[ana, KIND].games == len(games)
    before = in_database(clubs, everything)
    assert in_database(clubs, recompute).changed == 0
    assert in_database(clubs, everything) == before


@pytest.mark.both_stores
def test_everything_computed_again_gives_the_same_numbers(clubs: Server) -> None:
    ana, bo, cy = (a_member(clubs, name).me["id"] for name in ("Ana", "Bo", "Cy"))
    bots = (None, None, "engineer")
    counted(
        clubs,
        game(a_table(), (ana, bo, cy), (1, 2, 2), ended=5 * DAY),
        game(a_table(), (bo, ana, None), (1, 1, 3), bots=bots, ended=40 * DAY),
        game(a_table(), (cy, ana, bo), (3, 1, 2), ended=30 * DAY),
        game(a_table(), (ana, bo, cy), (1, 3, 2), ended=41 * DAY, left={1: (0.5, 0.2, 0.3)}),
    )
    before = in_database(clubs, everything)
    assert in_database(clubs, recompute).changed == 0
    assert in_database(clubs, everything) == before
    own = ratings.c.person == ana
    in_database(clubs, lambda c: c.execute(ratings.update().where(own).values(rating=99.0)))
    in_database(clubs, recompute)
    assert in_database(clubs, everything) == before


def test_a_stand_in_counts_for_nobody(clubs: Server) -> None:
    """The one who left is rated by the chances then; those who stayed are compared."""
    ana, bo, cy = (a_member(clubs, name).me["id"] for name in ("Ana", "Bo", "Cy"))
    counted(clubs, game(a_table(), (ana, bo, cy), (1, 2, 3), left={0: (0.0, 0.5, 0.5)}))
    standings = in_database(clubs, standings_of)
    left, best, last = (standings[person, KIND].skill for person in (ana, bo, cy))
    assert left.rating < NEWCOMER.rating  # although its seat won
    assert best.rating > NEWCOMER.rating > last.rating
    assert best.rating - NEWCOMER.rating == pytest.approx(NEWCOMER.rating - last.rating)


def test_a_game_that_nobody_stayed_in_still_counts(clubs: Server) -> None:
    ana, bo, cy = (a_member(clubs, name).me["id"] for name in ("Ana", "Bo", "Cy"))
    even = (1 / 3, 1 / 3, 1 / 3)
    counted(clubs, game(a_table(), (ana, bo, cy), (1, 2, 3), left={0: even, 1: even, 2: even}))
    standings = in_database(clubs, standings_of)
    for person in (ana, bo, cy):
        assert standings[person, KIND].skill.rating == pytest.approx(NEWCOMER.rating)
        assert standings[person, KIND].skill.doubt < NEWCOMER.doubt


def test_who_plays_against_themselves_is_not_rated(clubs: Server) -> None:
    ana, bo = (a_member(clubs, name).me["id"] for name in ("Ana", "Bo"))
    table = a_table()
    counted(clubs, game(table, (ana, ana, bo), (1, 2, 3)))
    assert (ana, KIND) not in in_database(clubs, standings_of)
    assert in_database(clubs, lambda c: counting.is_counted(c, table))


def test_a_deleted_person_leaves_the_ratings_of_others_as_they_are(clubs: Server) -> None:
    ana, bo, cy = (a_member(clubs, name) for name in ("Ana", "Bo", "Cy"))
    ids = [member.me["id"] for member in (ana, bo, cy)]
    games = [game(a_table(), ids, (1, 2, 3)), game(a_table(), ids, (3, 1, 2), ended=DAY)]
    counted(clubs, *games)
    before = in_database(clubs, standings_of)
    assert ana.ask("DELETE", "me").status_code == 204
    assert in_database(clubs, recompute).changed == 0
    after = in_database(clubs, standings_of)
    assert {owner[0] for owner in before} - {owner[0] for owner in after} == {ids[0]}
    assert all(after[owner] == before[owner] for owner in after)
    stored = str(in_database(clubs, everything))
    assert ids[0] not in stored
    told = bo.get(f"ratings/persons/{ids[1]}")["curves"][0]
    assert told["games"] == 2


def test_a_merged_person_has_the_games_of_both(club: Server) -> None:
    from industry.server.club import own_data
    from industry.server.club import persons as book

    ana, bo, cy = (a_member(club, name).me["id"] for name in ("Ana", "Bo", "Cy"))
    shared = game(a_table(), (ana, bo, cy), (1, 2, 3))
    counted(club, game(a_table(), (ana, cy, None), (1, 2, 3), bots=(None, None, "foreman")), shared)

    def merged(connection: Connection) -> None:
        gone, kept = book.find(connection, ana), book.find(connection, bo)
        assert gone and kept
        own_data.merge(connection, club.service.keys, gone, kept)

    in_database(club, merged)
    standings = in_database(club, standings_of)
    assert standings[bo, KIND].games == 2 and (ana, KIND) not in standings
    assert in_database(club, recompute).changed == 0


def test_an_export_holds_the_own_ratings_and_those_of_nobody_else(clubs: Server) -> None:
    ana, bo, cy = (a_member(clubs, name) for name in ("Ana", "Bo", "Cy"))
    counted(clubs, game(a_table(), [m.me["id"] for m in (ana, bo, cy)], (1, 2, 3)))
    told = ana.get("me/export")["ratings"]
    assert len(told["ratings"]) == len(told["rating_seats"]) == 1
    assert bo.me["id"] not in str(told)


def test_forecasts_are_compared_with_what_happened(club: Server) -> None:
    ana, bo, cy = (a_member(club, name).me["id"] for name in ("Ana", "Bo", "Cy"))
    before = Member(club).get("ratings/forecasts")
    counted(club, game(a_table(), (ana, bo, cy), (1, 1, 3)))
    counted(club, game(a_table(), (ana, bo, cy), (1, 2, 3), left={2: (0.4, 0.4, 0.2)}))
    told = Member(club).get("ratings/forecasts")
    assert told["games"] == before["games"] + 1  # not the one that somebody left
    assert (
        sum(one["seats"] for one in told["bins"]) == sum(one["seats"] for one in before["bins"]) + 3
    )
    assert 0 <= told["error"] <= 1 and told["even_log_loss"] > 1


def test_the_club_page_shows_people_open_tables_records_and_games(clubs: Server) -> None:
    ana = a_member(clubs, "Ana")
    listed = ana.open_table("open", "open", listed=True)["table"]
    private = ana.open_table("open", "open")["table"]
    played = begin_rated(ana)
    play_on(ana, played)
    rating_when_counted(ana, played["table"])
    told = ana.get("clubhouse")
    assert ana.me["id"] in [one["id"] for one in told["here"]]
    shown = [table["table"] for table in told["open"]]
    assert listed in shown and private not in shown
    assert played["table"] in [one["table"] for one in told["week"]]
    assert told["records"][0]["points"] > 0


def test_a_private_unrated_game_is_not_on_the_club_page(club: Server) -> None:
    ana = a_member(club, "Ana")
    made = ana.open_table("foreman", "foreman")
    play_on(ana, made)
    assert made["table"] not in str(ana.get("clubhouse"))


@pytest.mark.parametrize("path", ["ratings", "ratings/forecasts", "clubhouse"])
def test_without_persons_there_are_no_ratings(shared_server: Server, path: str) -> None:
    assert Member(shared_server).code("GET", path) == "persons_off"


def test_games_that_cannot_be_counted_hold_up_no_other(
    club: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = a_member(club, "Ana")
    hindered = []
    count = keeping.RatingKeeper._count

    async def refuse_some(keeper: keeping.RatingKeeper, table: str) -> None:
        if table in hindered:
            raise NoAnswer("the process was lost")
        await count(keeper, table)

    monkeypatch.setattr(keeping, "AT_ONCE", 1)
    monkeypatch.setattr(keeping, "PATIENCE", 0.2)
    monkeypatch.setattr(keeping.RatingKeeper, "_count", refuse_some)
    first, second = begin_rated(ana), begin_rated(ana)
    hindered.append(first["table"])
    play_on(ana, first)
    play_on(ana, second)
    rating_when_counted(ana, second["table"])
    assert ana.get(f"ratings/tables/{first['table']}")["status"] == "waiting"
    hindered.clear()
    rating_when_counted(ana, first["table"])


def test_a_game_that_ended_while_no_server_ran_is_counted_at_the_next_start(
    tmp_path: object,
) -> None:
    database = f"sqlite:///{tmp_path}/tables.db"
    with served(database, RandomPool(), persons="open") as server:
        ana = Member(server, "Ana")
        link, played = ana.link, begin_rated(ana)
        play_on(ana, played)
        rating_when_counted(ana, played["table"])

        def uncounted(connection: Connection) -> None:
            for part in (rating_games, rating_seats, ratings):
                connection.execute(part.delete())

        in_database(server, uncounted)
    with served(database, RandomPool(), persons="open") as server:
        ana = Member(server, link=link)
        assert rating_when_counted(ana, played["table"])["status"] == "counted"


def test_two_processes_count_a_game_once(postgres_database: str) -> None:
    with (
        served(postgres_database, RandomPool(), persons="open") as one,
        served(postgres_database, RandomPool(), persons="open") as other,
    ):
        ana = Member(one, "Ana")
        played = begin_rated(ana)
        play_on(ana, played)
        first = rating_when_counted(ana, played["table"])
        ana.server = other
        assert ana.get(f"ratings/tables/{played['table']}") == first
        assert ana.get(f"ratings/persons/{ana.me['id']}")["curves"][0]["games"] == 1
        assert anchors(KIND)["foreman"].is_known
