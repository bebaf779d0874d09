"""`manage.py export_person PERSON` prints all data about a person as JSON."""

from argparse import ArgumentParser
from typing import Any

from league.management.base_command import ServiceCommand, person_of
from league.models import User
from league.privacy.data_export import as_json, of_player, of_user


class Command(ServiceCommand):
    help = "Print all data about a person as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("person", help="the name of an account, or the id of a player")

    def handle(self, *, person: str, **_options: Any) -> None:
        subject = person_of(person)
        data = of_user(subject) if isinstance(subject, User) else of_player(subject)
        self.stdout.write(as_json(data))
