"""`manage.py erase PERSON` removes a person's name and keeps the chips."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.db.models import Q

from league.common.errors import RefusedError
from league.management.base_command import ServiceCommand, person_of
from league.models import League, Player, User, Webhook
from league.privacy.erasure import erase_player, erase_user


class Command(ServiceCommand):
    help = "Erase a person from all data. The name is removed, and the chips stay."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("person", help="the name of an account, or the id of a player")
        parser.add_argument("--yes", action="store_true", help="don't ask for confirmation")

    def handle(self, *, person: str, yes: bool, **_options: Any) -> None:
        subject = person_of(person)
        mine = Q(memberships__user=subject) | Q(players__user=subject)
        if isinstance(subject, Player):
            mine = Q(pk=subject.league_id)
        in_use = League.objects.filter(mine, webhooks__in=Webhook.objects.filter(retired_at=None))
        for league in in_use.distinct().order_by("name", "pk"):
            self.stdout.write(
                f"{league} has webhooks in use. Their addresses stay as they are: "
                "if one contains the name, change or retire it first."
            )
        if not yes and input(f"Erase {subject} for good? Type yes: ") != "yes":
            raise CommandError("Nothing was changed.")
        try:
            if isinstance(subject, User):
                players = erase_user(subject, by=None)
            else:
                players = [erase_player(subject, by=None)]
        except RefusedError as refused:
            raise CommandError("; ".join(each["text"] for each in refused.errors)) from None
        for player in players:
            self.stdout.write(f"The name in {player.league} is now {player}.")
        self.stdout.write("Erased.")
