"""Describes a game in lines: one each for a round's start, an auction, a development."""

from collections.abc import Iterator

import click

from industry.engine import (
    BidMade,
    BidPassed,
    Event,
    FieldClaimed,
    FieldDeveloped,
    FieldOffered,
    FieldSold,
    FieldTaken,
    GameEnded,
    ResourceProvided,
    RoundStarted,
    SubsidyTaken,
    TalersMoved,
    TechnologyLapsed,
    TileCashed,
    TokensDrawn,
    TurnEnded,
)
from industry.notation import Game, sentence
from industry.notation.explain import field_name, source_name
from industry.texts import say

from .score import in_hand, player, verdict


class Transcript:
    """Describes a game that is replayed step by step."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.auction = ""
        """The offered field and its Auctioneer, while bids are collected."""
        self.bids: list[str] = []
        self.resources: list[str] = []
        self.turns = 0
        self.developments = 0

    def after(self, game: Game) -> Iterator[str]:
        """Returns the lines that are complete after the game's last move."""
        for event in game.events[-1]:
            indent = "" if isinstance(event, RoundStarted | GameEnded) else "  "
            for line in self._lines_of(game, event):
                yield f"{indent}{line}"

    def _lines_of(self, game: Game, event: Event) -> Iterator[str]:
        match event:
            case RoundStarted(number, era, starting_player):
                self.turns = self.developments = 0
                who = player(game, starting_player)
                head = self._say("round", era=era + 1, number=number, player=who)
                yield click.style(f"\n{head}", bold=True)
            case TokensDrawn():
                yield sentence(event, game.board, self.language)
                if any(isinstance(e, TalersMoved) for e in game.events[-1]):
                    yield self._say("coin")
                yield self._say("purses", purses=", ".join(self._purses(game)))
            case FieldOffered() | BidMade() | BidPassed() | SubsidyTaken() | TileCashed():
                yield from self._collect(game, event)
            case FieldSold() | FieldClaimed() | FieldTaken():
                yield self._outcome(game, event)
            case ResourceProvided() | FieldDeveloped() | TurnEnded():
                yield from self._development(game, event)
            case TechnologyLapsed(seat, field):
                name = field_name(game.board, field, self.language)
                yield self._say("lapses", player=player(game, seat), field=name)
            case GameEnded():
                yield f"\n{sentence(event, game.board, self.language)}"
                yield verdict(game, self.language)

    def _say(self, key: str, **values: object) -> str:
        return say(f"report.{key}", self.language, **values)

    def _purses(self, game: Game) -> Iterator[str]:
        for seat, talers in enumerate(in_hand(game)):
            yield f"{player(game, seat)} {talers}"

    def _collect(self, game: Game, event: Event) -> Iterator[str]:
        """Collects bids and what happens between them until the auction ends."""
        match event:
            case FieldOffered(seat, field):
                self.auction = field_name(game.board, field, self.language)
            case BidMade(seat, talers):
                self.bids.append(self._say("bid", player=player(game, seat), bid=talers))
            case BidPassed(seat):
                self.bids.append(self._say("passes", player=player(game, seat)))
            case SubsidyTaken(seat):
                yield from self._aside(self._say("subsidy", player=player(game, seat)))
            case TileCashed(seat, field):
                name = field_name(game.board, field, self.language)
                yield from self._aside(self._say("cash", player=player(game, seat), field=name))

    def _aside(self, what: str) -> Iterator[str]:
        if self.auction:
            self.bids.append(what)
        else:
            yield self._say("aside", what=what)

    def _outcome(self, game: Game, event: Event) -> str:
        match event:
            case FieldSold(seat, buyer, _, price):
                talers = say("talers", self.language, count=price)
                outcome = self._say("sold", player=player(game, buyer), price=talers)
            case FieldClaimed(seat):
                outcome = self._say("claimed", player=player(game, seat))
            case FieldTaken(seat):
                outcome = self._say("taken", player=player(game, seat))
            case _:
                raise AssertionError(event)
        text = self._say(
            "auction",
            field=self.auction,
            player=player(game, seat),
            bids=", ".join(self.bids),
            outcome=outcome,
        )
        self.auction, self.bids = "", []
        return text

    def _development(self, game: Game, event: Event) -> Iterator[str]:
        match event:
            case ResourceProvided(_, resource, source):
                name = say(f"resource.{game.board.resources[resource]}", self.language)
                where = source_name(source, self.language)
                self.resources.append(self._say("resource", resource=name, source=where))
            case FieldDeveloped(seat, field, points):
                yield self._say(
                    "developed_with" if self.resources else "developed",
                    player=player(game, seat),
                    field=field_name(game.board, field, self.language),
                    resources=", ".join(self.resources),
                    points=say("points", self.language, count=points),
                )
                self.resources = []
                self.developments += 1
            case TurnEnded():
                self.turns += 1
                if self.turns == len(game.players) and not self.developments:
                    yield self._say("nothing_developed")
