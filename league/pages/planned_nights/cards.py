"""A planned night as pages show it: when, who comes, what the visitor said."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from league.models import Answer, League, PlannedNight, Player
from league.planned_nights.answers import known_as
from league.planned_nights.attendance import Attendance, Comer, attendance
from league.planned_nights.messages import when


@dataclass(frozen=True, slots=True)
class Party:
    """Somebody who comes, with how many guests; `alone` are guests whose host sits elsewhere."""

    answer: Answer
    guests: int
    alone: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    planned: PlannedNight
    when: str
    who: Attendance
    seated: list[Party]
    waiting: list[Party]
    mine: Answer | None

    @property
    def is_seated(self) -> bool:
        return self.mine is not None and self.mine.pk in self.who.with_seats()

    @property
    def is_waiting(self) -> bool:
        return self.mine is not None and self.mine.says == Answer.Says.YES and not self.is_seated


def card(planned: PlannedNight, own: Player | None, name: str = "") -> Card:
    """Return the night for the player, or for whoever answered under the name."""
    answers = list(planned.answers.all())
    who = attendance(planned.seats, answers)
    return Card(
        planned=planned,
        when=when(planned),
        who=who,
        seated=_parties(who.seated),
        waiting=_parties(who.waiting),
        mine=next((each for each in answers if _is_own(each, own, name)), None),
    )


def named(league: League, name: str) -> Player | None:
    """Return the player of this name who has not joined: the name answers for them."""
    player = known_as(league, name) if name else None
    return player if player and player.user_id is None else None


def _is_own(answer: Answer, own: Player | None, name: str) -> bool:
    if own is not None:
        return answer.player_id == own.pk
    return bool(name) and answer.player_id is None and answer.name.lower() == name.lower()


def _parties(comers: Iterable[Comer]) -> list[Party]:
    told = list(comers)
    hosts = {each.answer.pk for each in told if not each.guest}
    guests = Counter(each.answer.pk for each in told if each.guest)
    answers = {each.answer.pk: each.answer for each in told}
    return [Party(answer, guests[key], key not in hosts) for key, answer in answers.items()]
