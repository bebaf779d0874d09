"""Stored e-mails from versions without an outcome are upgraded."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone

from league.models import OutgoingMail
from league.sending import mail

pytestmark = pytest.mark.django_db
MIGRATION = import_module("league.migrations.0027_sending")


@pytest.mark.parametrize(
    ("tries", "is_done", "state"),
    [(0, False, "waiting"), (3, False, "waiting"), (1, True, "delivered"), (7, True, "delivered")],
)
def test_mail_sent_before_the_upgrade_is_marked_as_delivered(
    tries: int, is_done: bool, state: str
) -> None:
    mail.write("key", "ann@example.org", "Night 1", ["Hello."])
    OutgoingMail.objects.update(tries=tries, done_at=timezone.now() if is_done else None)
    MIGRATION.record_delivered_mail(apps, connection.schema_editor())
    assert OutgoingMail.objects.get().state == state


def test_mail_that_was_given_up_is_not_marked_as_delivered() -> None:
    mail.write("key", "ann@example.org", "Night 1", ["Hello."])
    OutgoingMail.objects.update(tries=mail.SENDER.most_tries, done_at=timezone.now())
    MIGRATION.record_delivered_mail(apps, connection.schema_editor())
    assert OutgoingMail.objects.get().outcome == ""
