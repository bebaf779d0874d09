"""A planned night starts with the players who accepted. Draws can be verified."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from uuid import UUID, uuid4

import pytest
from django.test import override_settings
from hypothesis import given
from hypothesis import strategies as st

from league import tasks
from league.common.errors import IdReusedError, RefusedError
from league.models import Night, NightAnswerLink, OutgoingMail, PlannedNight, Player, User
from league.people.leagues import add_player
from league.planned_nights import planning
from league.planned_nights.answer_links import (
    give_links,
    league_token,
    link_of,
    player_token,
    share_answers,
    unshare_answers,
)
from league.planned_nights.answers import answer_for
from league.planned_nights.planning import Details, as_players, drawn_order, plan, seed_hash
from tests.helpers.league.leagues import a_league


def a_plan(days: float = 3) -> PlannedNight:
    league = a_league()
    for name in ("ann", "bob"):
        add_player(league, name)
    at = datetime.now(UTC) + timedelta(days=days)
    return plan(league, uuid4(), at, Details(), by=None)


@given(seed=st.text("0123456789abcdef", min_size=64, max_size=64), players=st.sets(st.uuids()))
def test_draw_seats_each_player_once_in_the_order_given_by_the_seed(
    seed: str, players: set[UUID]
) -> None:
    """To verify a draw, run `printf SEED | sha256sum`, and the same for the seed with an id."""
    order = drawn_order(seed, players)
    assert sorted(order) == sorted(players)
    assert drawn_order(seed, reversed(order)) == order
    digests = [sha256((seed + str(player)).encode()).hexdigest() for player in order]
    assert digests == sorted(digests)
    assert seed_hash(seed) == sha256(seed.encode()).hexdigest()


@pytest.mark.django_db
def test_accepted_players_are_seated_and_new_guests_become_players() -> None:
    planned = a_plan()
    ann = planned.league.players.get(name="ann")
    [zoe] = as_players(planned, [answer_for(planned, "Zoe", "yes")])
    night = planning.start(planned, planned.pk, [(zoe, 50), (ann, 0)], by=None, name="Friday")
    assert [seat.player.name for seat in night.seats.order_by("position")] == ["Zoe", "ann"]
    assert Player.objects.get(name="Zoe").is_guest
    planned.refresh_from_db()
    assert (planned.state, planned.night) == ("started", night)
    again = planning.start(planned, planned.pk, [(zoe, 50), (ann, 0)], by=None, name="Friday")
    assert again == night
    assert Night.objects.count() == 1
    with pytest.raises(RefusedError):
        planning.cancel(planned)
    with pytest.raises(RefusedError):
        planning.start(planned, uuid4(), [(ann, 0)], by=None)


@pytest.mark.django_db
def test_guest_who_has_become_a_player_is_seated_as_that_player() -> None:
    planned = a_plan()
    answer = answer_for(planned, "Zoe", "yes")
    [new] = as_players(planned, [answer])
    zoe = add_player(planned.league, "zoe")
    assert as_players(planned, [answer, answer_for(planned, zoe, "yes")]) == [zoe]
    night = planning.start(planned, planned.pk, [(new, 0)], by=None)
    assert [seat.player for seat in night.seats.all()] == [zoe]


@pytest.mark.django_db
def test_only_the_hash_of_a_link_is_stored_and_it_can_be_shown_again() -> None:
    planned = a_plan()
    league, ann = planned.league, planned.league.players.get(name="ann")
    token = share_answers(league, by=None)
    assert share_answers(league, by=None) == token == league_token(league)
    link = link_of(token)
    assert link
    assert (link.league, link.player) == (league, None)
    own = player_token(ann)
    mine = link_of(own)
    assert mine
    assert mine.player == ann
    stored = str(list(NightAnswerLink.objects.values()))
    assert token not in stored
    assert own not in stored
    assert unshare_answers(league, by=None) == 3
    assert link_of(token) is None
    assert share_answers(league, by=None) != token


@pytest.mark.django_db
def test_answer_link_survives_a_new_secret_key_and_is_shown_again() -> None:
    planned = a_plan()
    ann = planned.league.players.get(name="ann")
    [old] = give_links(planned.league, [ann]).values()
    with override_settings(SECRET_KEY="another one, as long as it has to be"):
        assert link_of(old)
        assert player_token(ann) == ""
        [new] = give_links(planned.league, [ann]).values()
        assert new != old
        assert link_of(new)


@pytest.mark.django_db
def test_undecided_players_are_reminded_once_on_the_day_before() -> None:
    planned = a_plan(days=0.9)
    for name in ("ann", "bob"):
        user = User.objects.create_user(f"{name}s", email=f"{name}@example.org")
        Player.objects.filter(name=name).update(user=user)
    answer_for(planned, planned.league.players.get(name="ann"), "maybe")
    with override_settings(SITE_URL="https://poker.example.org"):
        tasks.plan_nights()
        tasks.plan_nights()
    mail = OutgoingMail.objects.get()
    assert mail.to == "bob@example.org"
    at = f"https://poker.example.org/answers/{player_token(planned.league.players.get(name='bob'))}"
    assert at in mail.body.splitlines()


@pytest.mark.django_db
def test_reminder_is_not_sent_two_days_before_the_night() -> None:
    a_plan(days=2)
    user = User.objects.create_user("anns", email="ann@example.org")
    Player.objects.filter(name="ann").update(user=user)
    tasks.plan_nights()
    assert not OutgoingMail.objects.exists()


@pytest.mark.django_db
def test_night_id_used_for_one_plan_is_refused_for_a_different_one() -> None:
    first = a_plan()
    second = plan(first.league, uuid4(), first.starts_at, Details(), by=None)
    ann, key = first.league.players.get(name="ann"), uuid4()
    planning.start(first, key, [(ann, 0)], by=None)
    with pytest.raises(IdReusedError):
        planning.start(second, key, [(ann, 0)], by=None)
    second.refresh_from_db()
    assert (second.state, second.night) == ("planned", None)
