"""`manage.py demo`: a league with one believable night, and how to look at it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction
from django.urls import reverse

from league.demo import demo_league, demo_user, open_demo_night, play

BAR = 40
HERE = "http://127.0.0.1:8000"  # where `make run` serves unless told


class Command(BaseCommand):
    help = "Fill a league with one believable night; each run makes a league and a user of its own."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--hands", type=int, default=44, help="how many hands at least")
        parser.add_argument(
            "--seed", type=int, default=1, help="the same seed deals the same night"
        )

    @transaction.atomic
    def handle(self, *args: Any, hands: int, seed: int, **options: Any) -> None:
        user, password = demo_user()
        league = demo_league(user)
        night = open_demo_night(league, hands)
        for played in play(night, hands, seed=seed, by=user):
            self._show(played, hands)
        self.stdout.write(f"{night} of {league.name}: {night.hands.count()} hands were dealt.")
        self.stdout.write(f"Sign in as {user.username} with the password {password}")
        self.stdout.write(f"then `make run` and open {HERE}{reverse('night', args=[night.pk])}")

    def _show(self, played: int, hands: int) -> None:
        """Draw how far it is, where someone is looking."""
        if self.stderr.isatty():
            filled = "#" * min(BAR, BAR * played // hands)
            end = "\n" if played >= hands else ""
            self.stderr.write(f"\r[{filled:<{BAR}}] {played}/{hands} hands", ending=end)
