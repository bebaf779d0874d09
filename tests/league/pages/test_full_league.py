"""Every page does a bounded amount of work, even if all of the league's lists are full.

Work is counted in SQL statements and in function calls, which are the same on every machine. Work
that grows with the square of a list exceeds the limits many times over. The league is filled once
by inserting rows, since the usual functions would take an hour. The season file is left out,
because it is streamed.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from django.db.models import Model
from django.db.models.base import ModelState
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from league.common import row_limits
from league.games import house_games
from league.games.documents import store_document
from league.models import (
    BuyIn,
    CashOut,
    ChargeShare,
    ChatChannel,
    ChipCount,
    ConflictingRecord,
    Device,
    Hand,
    HandFact,
    League,
    LogbookEntry,
    Membership,
    Night,
    NightAnswer,
    NightSeries,
    PlannedNight,
    Player,
    Role,
    Seat,
    Token,
    Tournament,
    User,
)
from league.people.leagues import add_member
from league.stats.count import rebuild
from ledger.models import Posting
from tests.helpers.api.sample_league import a_world, furnish
from tests.helpers.security.pages import filled, pages
from tests.helpers.stages import sample

# Three times what the largest page needs, but at most five statements for each of 50 members.
MOST_STATEMENTS = 300
MOST_CALLS = 10_000_000
BATCH = 1_000


def copies(row: Model, many: int, /, **changes: Callable[[int], Any]) -> list[Any]:
    """Store `many` copies of the row, each with changes that depend on its number."""
    made = []
    for index in range(many):
        new = copy(row)
        new._state = ModelState()
        new.pk = uuid4() if isinstance(row.pk, UUID) else None
        for name, change in changes.items():
            setattr(new, name, change(index))
        made.append(new)
    return list(type(row)._default_manager.bulk_create(made, batch_size=BATCH))


def postings(row: Posting, number: int) -> Callable[[int], Any]:
    """Store `number` empty postings. Return a function that maps an index to a posting's id."""
    made = copies(row, number, key=lambda _: f"full:{uuid4()}")
    return lambda each: made[each].pk


class FullLeague:
    """A league filled to its limits, or to a fraction of them, and one of its hosts."""

    def __init__(self, part: int) -> None:
        self.part = part
        self.most_calls = MOST_CALLS // part
        self.world = a_world()
        furnish(self.world)
        self.league = self.world.league
        user = User.objects.create_user(f"full-{uuid4().hex[:8]}")
        add_member(self.league, user, Role.HOST)
        self.host = Client(raise_request_exception=False)
        self.host.force_login(user)
        self.user = user
        self.posting = self.world.hand.revisions.get().posting
        rebuild(self.league.pk)
        self.fill_people()
        self.fill_plans()
        self.fill_night()
        self.fill_tournaments()
        self.fill_closed_night()
        self.fill_seasons()
        self.fill_games()

    def up_to(self, bound: row_limits.RowLimit, rows: Any) -> int:
        """Return how many more rows fit within the limit."""
        return max(0, bound.most // self.part - int(rows.count()))

    def fill_people(self) -> None:
        league = self.league
        Player.objects.bulk_create(
            Player(league=league, name=f"A player with a long name {number}")
            for number in range(row_limits.PLAYERS.most - league.players.count())
        )
        self.players = list(league.players.order_by("name"))
        users = User.objects.bulk_create(
            User(username=f"member-{uuid4().hex[:12]}", first_name=f"Member {number}")
            for number in range(row_limits.MEMBERS.most - league.memberships.count())
        )
        Membership.objects.bulk_create(
            Membership(league=league, user=person, role=Role.PLAYER) for person in users
        )
        free = [person for person in self.players if person.user_id is None][: len(users)]
        for player, user in zip(free, users, strict=False):
            player.user = user
        Player.objects.bulk_update(free[:-50], ["user"], batch_size=BATCH)
        Device.objects.bulk_create(
            Device(league=league, user=player.user, player=player, session_key=uuid4().hex)
            for player in free[:-50]
        )
        others = [self.new_league(number) for number in range(row_limits.LEAGUES.most - 1)]
        Membership.objects.bulk_create(
            Membership(league=league, user=self.user, role=Role.PLAYER) for league in others
        )
        Token.objects.bulk_create(
            Token(
                user=users[number % len(users)],
                digest=uuid4().hex,
                token_key=uuid4().hex[:8],
                expiry=timezone.now() + timedelta(days=1),
                league=league,
                name=f"Token {number}",
                scope="read",
            )
            for number in range(self.up_to(row_limits.LEAGUE_TOKENS, league.tokens))
        )
        hashes = {"token_hash": lambda _: uuid4().hex}
        invitation = league.invitations.latest("made_at")
        copies(invitation, self.up_to(row_limits.INVITATIONS, league.invitations), **hashes)
        asked = league.join_requests.latest("made_at")
        copies(asked, self.up_to(row_limits.JOIN_REQUESTS, league.join_requests), **hashes)
        hook = league.webhooks.get()
        copies(hook, self.up_to(row_limits.WEBHOOKS, league.webhooks))
        channel = ChatChannel.objects.get(league=league)
        copies(channel, self.up_to(row_limits.CHATS, ChatChannel.objects.filter(league=league)))
        copies(LogbookEntry.objects.filter(league=league).latest("made_at"), 5_000)

    def new_league(self, number: int) -> League:
        book = copies(self.league.book, 1)[0]
        [made] = copies(
            self.league,
            1,
            book=lambda _: book,
            code=lambda _: f"Z{number:07}",
            banker=lambda _: None,
        )
        copies(self.league.seasons.earliest("starts_on"), 1, league=lambda _: made)
        return made

    def fill_plans(self) -> None:
        planned = PlannedNight.objects.get(pk=self.world.more["planned_night_id"])
        alone = PlannedNight.objects.filter(league=self.league, series=None)
        nights = [planned, *copies(planned, self.up_to(row_limits.PLANNED_NIGHTS, alone))]
        series = NightSeries.objects.filter(league=self.league)
        copies(series.get(), self.up_to(row_limits.NIGHT_SERIES, series))
        since = timezone.now()
        for night in nights[:6]:
            night.answers.all().delete()
            NightAnswer.objects.bulk_create(
                NightAnswer(
                    planned_night=night,
                    player=player,
                    says="yes",
                    since=since,
                    brings="crisps",
                    guests_since=[since.isoformat()] * 5,
                )
                for player in self.players[: row_limits.ANSWERS.most]
            )

    def fill_night(self) -> None:
        night, players = self.world.night, self.players
        seated_before = set(night.seats.values_list("player", flat=True))
        sitting = [player for player in players if player.pk not in seated_before]
        Seat.objects.bulk_create(
            Seat(night=night, player=player, position=position)
            for position, player in enumerate(
                sitting[: row_limits.SEATS.most - night.seats.count()], 10
            )
        )
        seated = [seat.player for seat in night.seats.select_related("player")]

        def of_seated(number: int) -> Player:
            return seated[number % len(seated)]

        for model, bound in ((BuyIn, row_limits.BUY_INS), (CashOut, row_limits.CASH_OUTS)):
            rows = model.objects.filter(night=night)
            number = self.up_to(bound, rows)
            own = postings(self.posting, number)
            copies(rows.first(), number, player=of_seated, posting_id=own)
        ChipCount.objects.bulk_create(
            ChipCount(id=uuid4(), night=night, player=of_seated(number), number=number + 1, chips=5)
            for number in range(row_limits.COUNTS.most)
        )
        copies(
            night.chip_requests.get(),
            self.up_to(row_limits.CHIP_REQUESTS, night.chip_requests),
            player=of_seated,
        )
        hand = self.world.hand
        self.deal(night, hand)
        revision = hand.revisions.get()
        own = postings(self.posting, row_limits.REVISIONS.most // self.part - 1)
        copies(
            revision,
            row_limits.REVISIONS.most // self.part - 1,
            number=lambda index: index + 2,
            current=lambda _: False,
            posting_id=own,
        )
        copies(
            ConflictingRecord.objects.get(pk=self.world.more["conflict_id"]),
            self.up_to(row_limits.CONFLICTS, night.conflicts),
        )
        number = self.up_to(row_limits.CHARGES, night.charges)
        own = postings(self.posting, number)
        charges = copies(night.charges.get(), number, posting_id=own)
        ChargeShare.objects.bulk_create(
            (
                ChargeShare(charge=charge, player=player, owes=1)
                for charge in charges
                for player in seated
            ),
            batch_size=BATCH,
        )

    def deal(self, night: Night, hand: Hand) -> None:
        """Copy the hand and its statistics until the night is full."""
        many = self.up_to(row_limits.HANDS, night.hands)
        hands = copies(hand, many, number=lambda index: index + 2)
        own = postings(self.posting, many)
        revision = hand.revisions.get(current=True)
        made = copies(revision, many, hand=lambda index: hands[index], posting_id=own)
        fact = HandFact.objects.get(hand=hand)
        facts = copies(
            fact,
            many,
            hand=lambda index: hands[index],
            revision=lambda index: made[index],
            number=lambda index: index + 2,
        )
        for result in fact.results.all():
            copies(result, many, fact=lambda index: facts[index])

    def fill_tournaments(self) -> None:
        tournament = Tournament.objects.get(pk=self.world.more["tournament_id"])
        levels = [dict(tournament.levels[0]) for _ in range(60)]
        Tournament.objects.filter(pk=tournament.pk).update(levels=levels)
        tournament.refresh_from_db()
        rows = self.world.night.tournaments
        copies(tournament, self.up_to(row_limits.TOURNAMENTS, rows))
        entry = tournament.events.filter(kind="entry").first()
        assert entry
        before = tournament.events.count()
        copies(
            entry,
            row_limits.TOURNAMENT_EVENTS.most // self.part - before,
            number=lambda each: each + before + 1,
            kind=lambda _: "rebuy",
        )

    def fill_closed_night(self) -> None:
        night = self.world.closed
        closing, plan = night.closings.get(), self.world.plan
        line, payment = closing.lines.first(), plan.payments.get()
        number = self.up_to(row_limits.CLOSINGS, night.closings)
        own = postings(self.posting, number)
        closings = copies(
            closing,
            number,
            number=lambda index: index + 2,
            sequence=lambda index: index + 2,
            posting_id=own,
        )
        people = self.players[: row_limits.SEATS.most]
        for night_closing in (closing, *closings):
            there = set(night_closing.lines.values_list("player", flat=True))
            more = [player for player in people if player.pk not in there][:90]
            copies(
                line, len(more), closing=lambda _, c=night_closing: c, player=lambda n, m=more: m[n]
            )
        plans = copies(plan, number, closing=lambda index: closings[index])
        for copied_plan in plans:
            copies(
                payment,
                90,
                plan=lambda _, p=copied_plan: p,
                position=lambda n: n,
                payer=lambda n: people[n],
                payee=lambda n: people[n + 1],
            )
        for copied_plan in copies(
            plan, row_limits.SEASON_PLANS.most // self.part, closing=lambda _: None
        ):
            copies(
                payment,
                90,
                plan=lambda _, p=copied_plan: p,
                position=lambda n: n,
                payer=lambda n: people[n],
                payee=lambda n: people[n + 1],
            )
        self.deal(night, night.hands.get())
        copies(self.world.payment, self.up_to(row_limits.PAYMENTS, payment.paid))

    def fill_seasons(self) -> None:
        season = self.world.night.season
        copies(
            season,
            self.up_to(row_limits.SEASONS, self.league.seasons),
            name=lambda index: f"Old season {index}",
            starts_on=lambda index: season.starts_on - timedelta(days=index + 1),
            ends_on=lambda _: season.starts_on,
        )
        number = self.up_to(row_limits.NIGHTS, season.nights)
        nights = copies(
            self.world.closed,
            number - row_limits.OPEN_NIGHTS.most + 1,
            number=lambda index: index + 3,
            started_at=lambda index: timezone.now() - timedelta(days=index + 1),
        )
        copies(
            self.world.night,
            row_limits.OPEN_NIGHTS.most - 1,
            number=lambda index: index + 2_000,
            started_at=lambda index: timezone.now() - timedelta(hours=index + 1),
        )
        Seat.objects.bulk_create(
            (
                Seat(night=night, player=player, position=position)
                for night in nights
                for position, player in enumerate(self.players[:8], 1)
            ),
            batch_size=BATCH,
        )

    def fill_games(self) -> None:
        game = self.world.game
        number = self.up_to(row_limits.HOUSE_GAMES, self.league.house_games)
        games = copies(
            game,
            number,
            name=lambda index: f"Grandma's Cross {index}",
            slug=lambda index: f"grandmas-cross-{index + 2}",
        )
        version = house_games.current(game)
        documents = [
            store_document(version.document.document | {"name": f"Grandma's Cross {index}"})
            for index in range(number)
        ]
        copies(
            version,
            number,
            game=lambda index: games[index],
            document=lambda index: documents[index],
        )
        copies(
            version,
            row_limits.HOUSE_GAME_VERSIONS.most // self.part - 1,
            number=lambda index: index + 2,
        )


# A fifth of each limit is enough to reveal quadratic work. Nightly runs use full lists.
@pytest.fixture(scope="module", params=[5, pytest.param(1, marks=pytest.mark.scheduled)])
def full(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[FullLeague]:
    with django_db_blocker.unblock(), transaction.atomic():
        yield FullLeague(part=request.param)
        transaction.set_rollback(True)


@contextmanager
def counted_calls() -> Iterator[Counter[str]]:
    """Count function calls, a measure of work that is the same on every machine."""
    calls: Counter[str] = Counter()

    def count(_frame: object, event: str, _argument: object) -> None:
        calls[event] += 1

    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(None)


ROUTES = {str(route.name): route for route in pages()}


@pytest.mark.django_db
@pytest.mark.parametrize("name", sample(ROUTES, 20))
def test_every_page_of_a_full_league_takes_limited_work(name: str, full: FullLeague) -> None:
    address = filled(full.world, ROUTES[name])
    if name == "some-forms":
        at_forms = full.host.get(f"/nights/{full.world.night.pk}/forms").json()
        address = f"{at_forms['at']}{at_forms['batches'] - 1}"
    with CaptureQueriesContext(connection) as statements, counted_calls() as calls:
        answer = full.host.get(address)
    assert answer.status_code < 500
    assert len(statements) <= MOST_STATEMENTS
    assert calls["call"] + calls["c_call"] <= full.most_calls
