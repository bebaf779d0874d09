"""A league with many nights, as a demonstration of a season and for measuring speed.

Most hands are recorded briefly, with payments and winnings only. The others have cards, like the
hands of the demonstration night. The rules settle many hands at a time. A carried pot is played for
in the next hand. Each night is closed and its payments are made.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone

from league.closing.close import Decisions, close_night
from league.closing.open import open_night
from league.closing.payments import receive
from league.demo.night import A_HAND_TAKES, SEATS, calls
from league.games.random_deals import Record, Table, codes, make_up, make_up_briefly
from league.hands.validation import Verdict
from league.hands.writing import write_hands
from league.models import Hand, League, Night, PlannedPayment, Player, User
from league.nights.nights import buy_in
from rules import settle_many

HANDS_A_NIGHT = 100
STACK = 60  # the most that a hand may cost; every player has more chips than that
BUY_IN = 5_000
BETWEEN_NIGHTS = timedelta(days=1)
SHOWN = 5  # one of n hands is recorded with its cards

Answer = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Deal:
    """A random hand and the rules' answer to it."""

    record: Record
    answer: Answer


def play_season(league: League, hands: int, *, seed: int = 1, by: User) -> Iterator[int]:
    """Record `hands` hands in nights of a hundred. Yield the number recorded after each night."""
    chance = Random(seed)  # noqa: S311 (cards of no consequence)
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
    settled = [
        (Hand(id=uuid4(), night=night, made_at=starts + number * A_HAND_TAKES), _verdict(deal, ids))
        for number, deal in enumerate(deals, start=1)
    ]
    write_hands(night, settled, by=by)
    close_and_pay(night, by)


def _verdict(deal: Deal, ids: Mapping[str, UUID]) -> Verdict:
    names = {player["name"]: ids[player["name"]] for player in deal.record["players"]}
    variant = deal.record["variant"]
    return Verdict(record=deal.record, variant=variant, answer=dict(deal.answer), names=names)


def close_and_pay(night: Night, by: User) -> None:
    """Close the night without a chip count, and record all payments as received."""
    closing = close_night(night, uuid4(), by=by, decisions=Decisions(by_hands=True))
    for planned in PlannedPayment.objects.filter(plan__closing=closing):
        receive(planned, uuid4(), planned.chips, by=by)


def _deals(
    names: Sequence[str], most: int, called: Iterator[tuple[str, ...]], chance: Random
) -> list[Deal]:
    """Return `most` hands. Each hand with a carried pot is followed by the hand that wins it."""
    found: list[Deal] = []
    while missing := most - len(found):
        made = [_make_up(_table(names, at, (), chance), next(called)) for at in range(missing)]
        for deal, follow in _settled(made, names, chance):
            both = [deal, follow] if follow else [deal]
            if len(found) + len(both) <= most:
                found += both
    return found


def _make_up(table: Table, call: tuple[str, ...]) -> Record:
    """Return a random hand of the called game, sometimes with its cards."""
    shown = table.chance.randrange(SHOWN) == 0
    brief = None if shown else make_up_briefly(table, call[0], call[1:])
    return brief or make_up(table, call[0], call[1:])


def _settled(
    made: Sequence[Record], names: Sequence[str], chance: Random
) -> Iterator[tuple[Deal, Deal | None]]:
    """Yield the hands without findings, each with the hand that wins its carried pot, if any."""
    told = [
        Deal(record, answer)
        for record, answer in zip(made, settle_many(made), strict=True)
        if "errors" not in answer and not codes(answer)
    ]
    carried = [deal for deal in told if deal.answer["carry"]]
    follows = [_follow(deal, names, chance) for deal in carried]
    won = {
        id(deal): Deal(record, answer)
        for deal, record, answer in zip(carried, follows, settle_many(follows), strict=True)
        if "errors" not in answer and not codes(answer) and not answer["carry"]
    }
    for deal in told:
        if not deal.answer["carry"]:
            yield deal, None
        elif id(deal) in won:
            yield deal, won[id(deal)]


def _follow(deal: Deal, names: Sequence[str], chance: Random) -> Record:
    record = deal.record
    button = (record["button"] + 1) % len(names)
    table = _table(names, button, tuple(deal.answer["carries"]), chance)
    return make_up(table, record["variant"], tuple(record.get("modifiers", ())))


def _table(
    names: Sequence[str], button: int, carried: tuple[Mapping[str, Any], ...], chance: Random
) -> Table:
    stacks = dict.fromkeys(names, STACK)
    return Table(stacks=stacks, button=button % len(names), carried=carried, chance=chance)
