"""`manage.py erase PERSON`: the name goes, the chips stay."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from league.common.errors import Refused
from league.management.base_command import ServiceCommand
from league.management.person_lookup import person_of
from league.models import User
from league.privacy.erasure import erase_player, erase_user


class Command(ServiceCommand):
    help = "Take a person out of everything that is kept: the name goes, the chips stay."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("person", help="the name of an account, or the id of a player")
        parser.add_argument("--yes", action="store_true", help="don't ask")

    def handle(self, *, person: str, yes: bool, **_options: Any) -> None:
        found = person_of(person)
        if not yes and input(f"Erase {found} for good? Type yes: ") != "yes":
            raise CommandError("Nothing was changed.")
        try:
            if isinstance(found, User):
                players = erase_user(found, by=None)
            else:
                players = [erase_player(found, by=None)]
        except Refused as refused:
            raise CommandError("; ".join(each["text"] for each in refused.errors)) from None
        for player in players:
            self.stdout.write(f"Called {player} in {player.league} from now on.")
        self.stdout.write("Erased.")
