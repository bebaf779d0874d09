"""`manage.py demo` creates a demonstration league, and prints how to open it."""

from argparse import ArgumentParser
from datetime import timedelta
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import transaction
from django.urls import reverse

from league.demo.full_season import (
    SEATS,
    close_and_pay,
    demo_league,
    demo_user,
    open_demo_night,
    play,
    play_season,
)
from league.management.base_command import ServiceCommand, show_progress, started
from league.models import User
from league.stats.count import rebuild

MOST_OF_A_NIGHT = 400
A_WEEK = timedelta(days=7)


class Command(ServiceCommand):
    help = "Fill a league with a sample night. Each run creates its own league and user."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--hands", type=int, default=44, help="minimum number of hands")
        parser.add_argument(
            "--players",
            type=int,
            default=SEATS,
            help="with more than six, a season of nights is created",
        )
        parser.add_argument(
            "--before", type=int, default=0, help="number of hands in a closed night last week"
        )
        parser.add_argument("--port", type=int, default=8000, help="the port of the service")
        parser.add_argument(
            "--seed", type=int, default=1, help="the same seed deals the same hands"
        )

    def handle(
        self, *args: Any, hands: int, seed: int, players: int = SEATS, **options: Any
    ) -> None:
        self.address = settings.SITE_URL or f"http://127.0.0.1:{options.get('port', 8000)}"
        if players > SEATS or hands > MOST_OF_A_NIGHT:
            self._season(hands, seed, players)
        else:
            self._night(hands, seed, players, options.get("before", 0))

    @transaction.atomic
    def _night(self, hands: int, seed: int, players: int, before: int) -> None:
        user, password = demo_user()
        league = demo_league(user, players=players)
        if before:
            last = open_demo_night(league, before, ago=A_WEEK)
            list(play(last, before, seed=seed + 1, by=user))
            close_and_pay(last, user)
        night = open_demo_night(league, hands)
        for played in play(night, hands, seed=seed, by=user):
            show_progress(self.stderr, played, hands, "hands")
        self.stdout.write(f"{night} of {league.name}: {night.hands.count()} hands were dealt.")
        self._tell(user, password, reverse("night", args=[night.pk]))

    def _season(self, hands: int, seed: int, players: int) -> None:
        """Fill a season, committing each night as it is closed, then rebuild the statistics."""
        user, password = demo_user()
        league = demo_league(user, players=players)
        started = monotonic()
        for played in play_season(league, hands, seed=seed, by=user):
            show_progress(self.stderr, played, hands, "hands")
        rate = hands / max(monotonic() - started, 0.001)
        self.stdout.write(f"{league.name}: {hands} hands were dealt, {rate:,.0f} a second.")
        rebuild(
            league.pk, lambda done, whole: show_progress(self.stderr, done, whole, "hands counted")
        )
        self._tell(user, password, reverse("league", args=[league.pk]))

    def _tell(self, user: User, password: str, address: str) -> None:
        self.stdout.write(f"Sign in as {user.username} with the password {password}")
        start = "" if settings.SITE_URL else f"start the service (`{started()}`) and "
        self.stdout.write(f"then {start}open {self.address}{address}")
