"""`manage.py password_link NAME` creates a link for setting a new password."""

from argparse import ArgumentParser
from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.management.base import CommandError
from django.db import transaction
from django.urls import reverse

from league.audit_log import Kind, log_action
from league.management.base_command import ServiceCommand
from league.models import User
from league.sign_in import password_links


class Command(ServiceCommand):
    help = "Create a link for setting a new password. It works once and expires after an hour."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the username")
        parser.add_argument(
            "--end-codes",
            action="store_true",
            help="also turn off two-factor authentication (phone and recovery codes lost)",
        )

    @transaction.atomic
    def handle(self, *, name: str, end_codes: bool, **_options: Any) -> None:
        user = User.objects.filter(username=name, is_active=True).first()
        if user is None:
            raise CommandError(f"There is no account {name}.", returncode=2)
        if end_codes:
            kinds = (Authenticator.Type.TOTP, Authenticator.Type.RECOVERY_CODES)
            if Authenticator.objects.filter(user=user, type__in=kinds).delete()[0]:
                log_action(Kind.SECOND_FACTOR_REMOVED, by=None, of=user)
        log_action(Kind.PASSWORD_LINK_MADE, by=None, of=user)
        path = reverse("password-link", args=[password_links.make(user, by=None)])
        self.stdout.write(f"{settings.SITE_URL}{path}")
