"""Leagues for demonstrations and benchmarks: one night dealt card by card, or a season.

Most of a season's hands are recorded briefly, with only payments and winnings. The rules settle
many hands at a time. A carried pot is won in the next hand. Each night is closed and its payments
are recorded.
"""

import secrets
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.utils import timezone

from league.closing.close import Decisions, close_night
from league.closing.payments import receive
from league.hands.random_deals import (
    Record,
    Table,
    codes,
    make_up,
    make_up_briefly,
    play_out,
    without_cards,
)
from league.hands.validation import Verdict
from league.hands.writing import write_hands
from league.models import Hand, League, Night, PlannedPayment, Player, User
from league.nights.buy_ins import buy_in
from league.nights.nights import stacks
from league.nights.opening import open_night
from league.people.leagues import add_player, make_league
from league.recording.corrections import revise_hand, void_hand
from league.recording.record import check, record_hand
from league.recording.sent_hands import Recorded
from rules import settle_many
from rules.presentation import form

Answer = Mapping[str, Any]

LIKED = Path(__file__).with_name("night.toml")
NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon")
SEATS = 6
USUAL_BUY_IN = 80
CHIP_VALUE = 25
A_HAND_TAKES = timedelta(minutes=5)
BRIEF = 13  # one in n hands is recorded without cards
MISTAKE = 16  # after this many hands, the table pays the wrong player, once
TRIES = 12
MOST_TRIES = 60


@dataclass(slots=True)
class Evening:
    """A night in progress: its players, recorded hands and carried pots."""

    night: Night
    players: dict[str, Player]
    chance: Random
    carried: tuple[Mapping[str, Any], ...] = ()
    # the game with a carried pot, which is dealt until a player wins the pot
    waiting: tuple[str, ...] = ()
    recorded: list[Recorded] = field(default_factory=list)
    briefly: int = 1
    mistaken: bool = False

    def stacks(self) -> dict[str, int]:
        chips = stacks(self.night)
        return {name: chips[player.pk] for name, player in self.players.items()}

    def as_recorded(self, record: Record, answer: Answer) -> Record:
        """Return the hand as a table would record it.

        Sometimes the cards are left out. One hand is paid out wrongly.
        """
        winners = [name for name, chips in answer["won"].items() if chips]
        if form.form(record["variant"])["bank"]:
            paid = [
                player | {"paid": answer["paid"][player["name"]]} for player in record["players"]
            ]
            return record | {"players": paid, "took": answer["won"]}
        if len(winners) != 1 or answer["carry"] or self.carried:
            return record
        if self.briefly * BRIEF < len(self.recorded):
            self.briefly += 1
            return without_cards(record, winners[0])
        losers = [
            player["name"] for player in record["players"] if not answer["won"][player["name"]]
        ]
        if losers and len(self.recorded) >= MISTAKE and not self.mistaken:
            self.mistaken = True
            return record | {"took": {losers[-1]: answer["won"][winners[0]]}}
        return record

    def correct(self, by: User) -> None:
        """Correct one hand and void another hand."""
        plain = []
        for recorded in self.recorded:
            record = recorded.revision.record
            if not (recorded.answer["carry"] or "carried" in record or "took" in record):
                plain.append(recorded)
        for recorded in plain:
            record = recorded.revision.record
            players = [*record["players"]]
            most = max(player.get("paid", 0) for player in players)
            folded = (
                place
                for place, player in enumerate(players)
                if player.get("folded") and player["paid"] < most
            )
            if (place := next(folded, None)) is None:
                continue
            players[place] = players[place] | {"paid": players[place]["paid"] + 1}
            corrected = record | {"players": players}
            if not check(self.night, corrected, instead_of=recorded.hand).errors:
                reason = "one more chip before the fold"
                revise_hand(recorded.hand, uuid4(), corrected, by=by, reason=reason)
                break
        if len(plain) > 2:
            void_hand(
                plain[len(plain) // 2].hand,
                by=by,
                reason="misdealt: a card was face up in the deck",
            )


def demo_user() -> tuple[User, str]:
    """Create a user with a random password. Return the user and the password."""
    taken = set(User.objects.filter(username__startswith="demo").values_list("username", flat=True))
    names = (f"demo{number}" if number > 1 else "demo" for number in count(1))
    password = secrets.token_urlsafe(9)
    name = next(each for each in names if each not in taken)
    return User.objects.create_user(username=name, password=password), password


def demo_league(host: User, *, players: int = SEATS) -> League:
    """Create the demonstration league with `players` players."""
    league = make_league(host, "The Thursday Table", chip_value=CHIP_VALUE)
    for number in range(players):
        name = NAMES[number % len(NAMES)]
        add_player(league, name if number < len(NAMES) else f"{name} {number // len(NAMES) + 1}")
    return league


def open_demo_night(league: League, hands: int, *, ago: timedelta = timedelta(0)) -> Night:
    """Open a night with all seats taken. The night starts early enough to end `ago` before now."""
    players = league.players.order_by("name")[:SEATS]
    starts = timezone.now() - ago - hands * A_HAND_TAKES
    return open_night(league, usual_buy_in=USUAL_BUY_IN, players=players, started_at=starts)


def play(night: Night, hands: int, *, seed: int = 1, by: User) -> Iterator[int]:
    """Play at least `hands` hands, until no pot is carried. Yield the count after each hand."""
    seats = night.seats.select_related("player").order_by("position")
    players = {seat.player.name: seat.player for seat in seats}
    evening = Evening(night, players, Random(seed))  # noqa: S311 (not used for security)
    called = calls(evening.chance)
    while len(evening.recorded) < hands or evening.carried:
        for player, chips in evening.stacks().items():
            if chips < USUAL_BUY_IN // 8:
                buy_in(night, players[player], USUAL_BUY_IN, buy_in_id=uuid4(), by=by)
        call = evening.waiting or next(called)
        table = Table(
            stacks=evening.stacks(),
            button=len(evening.recorded) % len(evening.players),
            carried=evening.carried,
            chance=evening.chance,
        )
        hand: tuple[Record, Answer] | None = None
        for tries in range(MOST_TRIES):  # prefer a hand without findings
            record = make_up(table, call[0], call[1:])
            answer = play_out(record, table.chance, lambda made: check(night, made).answer)
            if answer:
                hand = record, answer
            if hand and (tries >= TRIES or not codes(hand[1])):
                break
        if hand:  # otherwise, no hand of this game was legal
            planned = night.started_at + len(evening.recorded) * A_HAND_TAKES
            made_at = min(planned, timezone.now())  # a night can't be closed before its last hand
            record = evening.as_recorded(*hand)
            recorded = record_hand(night, uuid4(), record, by=by, made_at=made_at)
            evening.recorded.append(recorded)
            evening.carried = tuple(recorded.answer["carries"])
            evening.waiting = call if evening.carried else ()
        yield len(evening.recorded)
    evening.correct(by)


def calls(chance: Random) -> Iterator[tuple[str, ...]]:
    """Yield the games that dealers call, in a new random order each round, sometimes modified."""
    slugs: list[str] = tomllib.loads(LIKED.read_text())["games"]
    while True:
        chance.shuffle(slugs)
        for slug in slugs:
            fitting = _fitting(slug)
            yield (slug, *chance.sample(fitting, min(len(fitting), chance.choice((0, 0, 0, 1)))))


@cache
def _fitting(slug: str) -> tuple[str, ...]:
    """Return the modifiers that fit the game."""
    return tuple(name for name, misfit in form.modifiers_that_fit(slug).items() if not misfit)


HANDS_A_NIGHT = 100
STACK = 60  # maximum amount a hand can cost a player; all players have more chips than this
BUY_IN = 5_000
BETWEEN_NIGHTS = timedelta(days=1)
SHOWN = 5  # one in n hands is recorded with cards


@dataclass(frozen=True, slots=True)
class Deal:
    """A random hand and the rules' answer to it."""

    record: Record
    answer: Answer


def play_season(league: League, hands: int, *, seed: int = 1, by: User) -> Iterator[int]:
    """Record `hands` hands in nights of a hundred. Yield the number recorded after each night."""
    chance = Random(seed)  # noqa: S311 (not used for security)
    called = calls(chance)
    players = list(league.players.order_by("name"))
    nights = -(-hands // HANDS_A_NIGHT)
    done = 0
    for number in range(nights):
        most = min(HANDS_A_NIGHT, hands - done)
        starts = timezone.now() - (nights - number) * BETWEEN_NIGHTS
        sitting = chance.sample(players, min(SEATS, len(players)))
        deals = _deals([each.name for each in sitting], most, called, chance)
        _record(league, sitting, deals, starts, by)
        done += most
        yield done


@transaction.atomic
def _record(
    league: League, sitting: Sequence[Player], deals: Sequence[Deal], starts: datetime, by: User
) -> None:
    night = open_night(league, usual_buy_in=BUY_IN, players=sitting, started_at=starts)
    for player in sitting:
        buy_in(night, player, BUY_IN, buy_in_id=uuid4(), by=by)
    ids = {player.name: player.pk for player in sitting}
    settled = []
    for number, deal in enumerate(deals, start=1):
        hand = Hand(id=uuid4(), night=night, made_at=starts + number * A_HAND_TAKES)
        verdict = Verdict(
            record=deal.record,
            variant=deal.record["variant"],
            answer=dict(deal.answer),
            names={player["name"]: ids[player["name"]] for player in deal.record["players"]},
        )
        settled.append((hand, verdict))
    write_hands(night, settled, by=by)
    close_and_pay(night, by)


def close_and_pay(night: Night, by: User) -> None:
    """Close the night without a chip count, and record all payments as received."""
    closing = close_night(night, uuid4(), by=by, decisions=Decisions(by_hands=True))
    for planned in PlannedPayment.objects.filter(plan__closing=closing):
        receive(planned, uuid4(), planned.chips, by=by)


def _deals(
    names: Sequence[str], most: int, called: Iterator[tuple[str, ...]], chance: Random
) -> list[Deal]:
    """Return `most` hands, some with cards.

    Each hand with a carried pot is followed by the hand that wins it.
    """
    deals: list[Deal] = []
    while missing := most - len(deals):
        made = []
        for at in range(missing):
            table, (game, *modifiers) = _table(names, at, (), chance), next(called)
            with_cards = chance.randrange(SHOWN) == 0
            brief = None if with_cards else make_up_briefly(table, game, tuple(modifiers))
            made.append(brief or make_up(table, game, tuple(modifiers)))
        for deal, follow in _settled(made, names, chance):
            both = [deal, follow] if follow else [deal]
            if len(deals) + len(both) <= most:
                deals += both
    return deals


def _settled(
    made: Sequence[Record], names: Sequence[str], chance: Random
) -> Iterator[tuple[Deal, Deal | None]]:
    """Yield the hands without findings, each with the hand that wins its carried pot, if any."""
    answers = [
        Deal(record, answer)
        for record, answer in zip(made, settle_many(made), strict=True)
        if "errors" not in answer and not codes(answer)
    ]
    carried = [deal for deal in answers if deal.answer["carry"]]
    follows = []
    for deal in carried:
        record = deal.record
        button = (record["button"] + 1) % len(names)
        table = _table(names, button, tuple(deal.answer["carries"]), chance)
        follows.append(make_up(table, record["variant"], tuple(record.get("modifiers", ()))))
    won = {
        id(deal): Deal(record, answer)
        for deal, record, answer in zip(carried, follows, settle_many(follows), strict=True)
        if "errors" not in answer and not codes(answer) and not answer["carry"]
    }
    for deal in answers:
        if not deal.answer["carry"]:
            yield deal, None
        elif id(deal) in won:
            yield deal, won[id(deal)]


def _table(
    names: Sequence[str], button: int, carried: tuple[Mapping[str, Any], ...], chance: Random
) -> Table:
    stacks = dict.fromkeys(names, STACK)
    return Table(stacks=stacks, button=button % len(names), carried=carried, chance=chance)
