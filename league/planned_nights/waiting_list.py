"""Compute a planned night's seats and waiting list. Players are in the order of their answers.

The result is not stored. A seat that becomes free goes to the first person on the waiting list.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from league.models import NightAnswer

Says = NightAnswer.Says


@dataclass(frozen=True, slots=True)
class Attendee:
    """A person who is coming: the one who answered, or one of the guests, numbered from 1."""

    answer: NightAnswer
    guest: int = 0

    @property
    def since(self) -> datetime:
        """Return when "yes" was answered, or when the guest was added."""
        if not self.guest:
            return self.answer.since
        return datetime.fromisoformat(self.answer.guests_since[self.guest - 1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Attendance:
    """The people with seats and the people on the waiting list, in the order of their answers."""

    seated: list[Attendee]
    waiting: list[Attendee]
    maybe: list[NightAnswer]
    no: list[NightAnswer]

    def with_seats(self) -> frozenset[int]:
        """Return the keys of the answers whose authors have a seat. Guests do not count."""
        return frozenset(each.answer.pk for each in self.seated if not each.guest)


def attendance(seats: int | None, answers: Iterable[NightAnswer]) -> Attendance:
    """Return the attendance. The first `seats` people get seats, or everyone if it is None."""
    given = list(answers)
    comers = [
        Attendee(answer, guest)
        for answer in given
        if answer.says == Says.YES
        for guest in range(answer.guests + 1)
    ]
    comers.sort(key=lambda each: (each.since, each.answer.pk, each.guest))
    limit = len(comers) if seats is None else seats
    return Attendance(
        seated=comers[:limit],
        waiting=comers[limit:],
        maybe=[each for each in given if each.says == Says.MAYBE],
        no=[each for each in given if each.says == Says.NO],
    )


def change(answer: NightAnswer, says: str, guests: int, at: datetime) -> None:
    """Change the answer.

    A player who already answered "yes" keeps their place, and earlier guests keep theirs.
    """
    if says != answer.says:
        answer.since, answer.guests_since = at, []
    earlier = list(answer.guests_since[:guests]) if says == Says.YES else []
    more = guests - len(earlier) if says == Says.YES else 0
    answer.says, answer.guests_since = says, [*earlier, *[at.isoformat()] * more]
    answer.answered_at = at
