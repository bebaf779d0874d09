"""Answers to a planned night are yes, maybe or no. Seats are limited, with a waiting list."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.common import row_limits
from league.common.errors import IdReusedError, RefusedError
from league.models import League, NightAnswer, OutgoingMail, PlannedNight, Player, User
from league.people.leagues import add_player
from league.planned_nights.answers import answer_as_guest, answer_for, attendance_of
from league.planned_nights.planning import Details, cancel, plan
from league.planned_nights.waiting_list import Attendee, attendance, change
from tests.helpers.league.leagues import a_league

START = datetime(2026, 3, 12, 19, tzinfo=UTC)
says = st.sampled_from(NightAnswer.Says.values)
tells = st.lists(st.tuples(st.integers(1, 6), says, st.integers(0, 5)), max_size=40)


def answers_of(changes: list[tuple[int, str, int]]) -> list[NightAnswer]:
    """Return the answers of up to six people, given or changed a second apart."""
    latest: dict[int, NightAnswer] = {}
    for second, (who, says, guests) in enumerate(changes):
        answer = latest.setdefault(who, NightAnswer(pk=who, name=f"guest {who}", says=""))
        change(answer, says, guests, START + timedelta(seconds=second))
    return list(latest.values())


def names(comers: list[Attendee]) -> list[str]:
    return [f"{each.answer}{f' +{each.guest}' if each.guest else ''}" for each in comers]


@given(seats=st.none() | st.integers(1, 12), changes=tells)
def test_players_never_exceed_the_seats_and_no_yes_is_lost(
    seats: int | None, changes: list[tuple[int, str, int]]
) -> None:
    answers = answers_of(changes)
    result = attendance(seats, answers)
    everybody = [*result.seated, *result.waiting]
    assert len(result.seated) <= (seats or len(everybody))
    assert not result.waiting or len(result.seated) == seats
    last: dict[int, tuple[str, int]] = {who: (reply, guests) for who, reply, guests in changes}
    wanted = {
        (who, n) for who, (reply, more) in last.items() if reply == "yes" for n in range(more + 1)
    }
    assert {(place.answer.pk, place.guest) for place in everybody} == wanted
    assert len(everybody) == len(wanted)
    assert {place.pk for place in result.maybe} == {
        who for who, (reply, _) in last.items() if reply == "maybe"
    }
    assert {place.pk for place in result.no} == {
        who for who, (reply, _) in last.items() if reply == "no"
    }


@given(seats=st.integers(1, 12), changes=tells)
def test_waiting_list_is_ordered_by_answer_time(
    seats: int, changes: list[tuple[int, str, int]]
) -> None:
    """A repeated yes keeps its place. A different answer in between loses it."""
    result = attendance(seats, answers_of(changes))
    since: dict[int, int] = {}
    before: dict[int, str] = {}
    for second, (who, answer, _) in enumerate(changes):
        if answer == "yes" and before.get(who) != "yes":
            since[who] = second
        before[who] = answer
    order = [place.answer.pk for place in [*result.seated, *result.waiting] if not place.guest]
    assert order == sorted(order, key=lambda who: since[who])
    times = [place.since for place in [*result.seated, *result.waiting]]
    assert times == sorted(times)


@given(
    seats=st.integers(1, 12),
    changes=tells,
    last=st.tuples(st.integers(1, 6), says, st.integers(0, 5)),
)
def test_player_keeps_a_seat_when_others_answer(
    seats: int, changes: list[tuple[int, str, int]], last: tuple[int, str, int]
) -> None:
    before = attendance(seats, answers_of(changes))
    after = attendance(seats, answers_of([*changes, last]))
    kept = {(each.answer.pk, each.guest) for each in before.seated if each.answer.pk != last[0]}
    assert kept <= {(each.answer.pk, each.guest) for each in after.seated}


# With a database


def a_plan(seats: int | None = None) -> PlannedNight:
    league = a_league()
    for name in ("ann", "bob", "cat"):
        add_player(league, name)
    at = datetime.now(UTC) + timedelta(days=3)
    return plan(league, uuid4(), at, Details(seats=seats), by=None)


def of(planned: PlannedNight, name: str) -> Player:
    return planned.league.players.get(name=name)


def refusals(planned: PlannedNight, *args: Any, **more: Any) -> list[tuple[str, str]]:
    with pytest.raises(RefusedError) as refused:
        answer_for(planned, *args, **more)
    return [(each["where"], each["code"]) for each in refused.value.errors]


@pytest.mark.django_db
def test_declined_seat_goes_to_the_longest_waiting_player_with_a_notification() -> None:
    planned = a_plan(seats=2)
    user = User.objects.create_user("bobs", email="bob@example.org")
    Player.objects.filter(name="bob").update(user=user)
    answer_for(planned, of(planned, "ann"), "yes", guests=1)
    answer_for(planned, of(planned, "bob"), "yes")
    answer_for(planned, "Zoe", "yes")
    assert names(attendance_of(planned).waiting) == ["bob", "Zoe"]
    assert not OutgoingMail.objects.exists()
    answer_for(planned, of(planned, "ann"), "yes", guests=0)
    assert names(attendance_of(planned).seated) == ["ann", "bob"]
    assert [each.to for each in OutgoingMail.objects.all()] == ["bob@example.org"]
    answer_for(planned, of(planned, "ann"), "no")
    assert names(attendance_of(planned).seated) == ["bob", "Zoe"]
    assert OutgoingMail.objects.count() == 1


@pytest.mark.django_db
def test_single_tap_preserves_the_note_on_an_answer() -> None:
    planned = a_plan()
    ann = of(planned, "ann")
    answer_for(planned, ann, "yes", guests=2, brings="  two   decks ")
    again = answer_for(planned, ann, "yes")
    assert (again.guests, again.brings) == (2, "two decks")
    declined = answer_for(planned, ann, "no")
    assert (declined.guests, declined.brings) == (0, "")


@pytest.mark.django_db
def test_name_has_one_answer_however_it_is_spelled() -> None:
    planned = a_plan()
    answer_for(planned, "Zoe", "yes")
    answer_for(planned, " zoe ", "maybe")
    answer_for(planned, "ANN", "yes")
    found = {(str(each), each.says) for each in NightAnswer.objects.all()}
    assert found == {("Zoe", "maybe"), ("ann", "yes")}
    assert NightAnswer.objects.get(says="yes").player == of(planned, "ann")


@pytest.mark.django_db
def test_stranger_cannot_answer_for_a_player_who_joined() -> None:
    planned = a_plan()
    Player.objects.filter(name="ann").update(user=planned.league.created_by)
    with pytest.raises(RefusedError, match="has joined"):
        answer_as_guest(planned, "Ann", "no")
    assert answer_as_guest(planned, "bob", "no").player == of(planned, "bob")


@pytest.mark.django_db
def test_invalid_answer_is_refused() -> None:
    planned, other = a_plan(), a_league()
    eve = add_player(other, "eve")
    wrong = refusals(planned, eve, "perhaps", guests=6, brings="x" * 201)
    assert wrong == [
        ("player", "unknown-player"),
        ("says", "unknown-word"),
        ("guests", "out-of-range"),
        ("brings", "too-long"),
    ]
    assert refusals(planned, "  ", "yes") == [("name", "missing")]
    cancel(planned)
    assert refusals(planned, "Zoe", "yes") == [("planned_night", "night-cancelled")]


@pytest.mark.django_db
def test_number_of_answers_per_night_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    planned = a_plan()
    assert row_limits.ANSWERS.most == 200
    monkeypatch.setattr(row_limits, "ANSWERS", replace(row_limits.ANSWERS, most=2))
    answer_for(planned, "Zoe", "yes")
    answer_for(planned, "Yan", "yes")
    assert refusals(planned, "Xan", "yes") == [("planned_night", "too-many")]
    assert answer_for(planned, "Zoe", "no").says == "no"
    # Answers from strangers who have the link do not count towards the league's player limit.
    eve = add_player(planned.league, "eve")
    assert answer_for(planned, eve, "yes").says == "yes"
    assert answer_for(planned, add_player(planned.league, "fay").name, "yes").says == "yes"


@pytest.mark.django_db
def test_night_is_planned_once_per_id_and_within_a_year() -> None:
    planned = a_plan(seats=5)
    league: League = planned.league
    same = {"details": Details(seats=5), "by": None}
    assert plan(league, planned.pk, planned.starts_at, **same) == planned  # type: ignore[arg-type]
    for where in (league, a_league()):
        with pytest.raises(IdReusedError):
            plan(where, planned.pk, planned.starts_at, Details(), by=None)
    now = datetime.now(UTC)
    for moment in (now - timedelta(minutes=1), now + timedelta(weeks=53)):
        with pytest.raises(RefusedError, match="within 52 weeks"):
            plan(league, uuid4(), moment, Details(), by=None)


@pytest.mark.django_db
def test_guest_name_that_is_invisible_or_a_lookalike_is_refused() -> None:
    planned = a_plan()
    Player.objects.filter(name="ann").update(user=planned.league.created_by)
    refused = {
        "\u200b": "invisible letter",
        "\u202eann": "changes the direction",
        "ann\u200b": "invisible letter",
    }
    for name, reason in refused.items():
        with pytest.raises(RefusedError, match=reason):
            answer_as_guest(planned, name, "yes")
    with pytest.raises(RefusedError, match="has joined"):
        answer_as_guest(planned, "an\u200dn", "yes")
