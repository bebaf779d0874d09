"""What pages show of a planned night: its time, its attendance and the visitor's answer."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from league.models import League, NightAnswer, PlannedNight, Player
from league.planned_nights.answers import find_by_name
from league.planned_nights.messages import date_and_time
from league.planned_nights.waiting_list import Attendance, Attendee, attendance


@dataclass(frozen=True, slots=True)
class Party:
    """An answer with its number of guests. If `alone` is true, only the guests are listed."""

    answer: NightAnswer
    guests: int
    alone: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    planned: PlannedNight
    when: str
    who: Attendance
    seated: list[Party]
    waiting: list[Party]
    mine: NightAnswer | None

    @property
    def is_seated(self) -> bool:
        return self.mine is not None and self.mine.pk in self.who.with_seats()

    @property
    def is_waiting(self) -> bool:
        return (
            self.mine is not None and self.mine.says == NightAnswer.Says.YES and not self.is_seated
        )

    @property
    def waiting_number(self) -> int:
        """The visitor's place on the waiting list."""
        return next(
            number
            for number, each in enumerate(self.who.waiting, start=1)
            if each.answer == self.mine and not each.guest
        )


def card(planned: PlannedNight, own: Player | None, name: str = "") -> Card:
    """Return the night's card for the player `own`, or for the guest with this `name`."""
    answers = list(planned.answers.all())
    if own is not None:
        mine = [each for each in answers if each.player_id == own.pk]
    else:
        by_guests = [each for each in answers if name and each.player_id is None]
        mine = [each for each in by_guests if each.name.lower() == name.lower()]
    who = attendance(planned.seats, answers)
    return Card(
        planned=planned,
        when=date_and_time(planned),
        who=who,
        seated=_parties(who.seated),
        waiting=_parties(who.waiting),
        mine=next(iter(mine), None),
    )


def named(league: League, name: str) -> Player | None:
    """Return the player with this name if the player has no account.

    Answers given by name belong to this player.
    """
    player = find_by_name(league, name) if name else None
    return player if player and player.user_id is None else None


def _parties(comers: Iterable[Attendee]) -> list[Party]:
    attendees = list(comers)
    hosts = {attendee.answer.pk for attendee in attendees if not attendee.guest}
    guests = Counter(attendee.answer.pk for attendee in attendees if attendee.guest)
    answers = {attendee.answer.pk: attendee.answer for attendee in attendees}
    return [Party(answer, guests[key], key not in hosts) for key, answer in answers.items()]
