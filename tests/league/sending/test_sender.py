"""The sending loop shared by all kinds of messages."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from kombu.exceptions import OperationalError

from league.jobs import leases
from league.models import OutgoingMail
from league.sending import mail
from league.sending.mail import MailSender
from league.sending.sender import Outcome, Result, wake_on_commit
from tests.helpers.league.leagues import a_league
from tests.helpers.league.leases import let_leases_run_out

pytestmark = pytest.mark.django_db


class SlowSender(MailSender):
    """A sender that is so slow that a different worker takes over the e-mail."""

    def send(self, mail: OutgoingMail) -> Result:
        let_leases_run_out()
        [self.taken_over] = leases.lease_due(self.rows())
        return Result(Outcome.DELIVERED)


class StalledSender(MailSender):
    """A sender that stalls between leasing and sending, until its lease expires.

    If `is_overtaken`, a different worker leases the e-mail in this time.
    """

    def __init__(self, *, is_overtaken: bool) -> None:
        self.is_overtaken = is_overtaken
        self.sends = 0

    def lease_next(self, league: UUID | str) -> OutgoingMail | None:
        mail = super().lease_next(league)
        let_leases_run_out()
        if self.is_overtaken:
            assert len(leases.lease_due(self.rows())) == 1
        return mail

    def send(self, mail: OutgoingMail) -> Result:
        assert leases.lease_due(self.rows()) == []
        self.sends += 1
        return Result(Outcome.DELIVERED)


@pytest.mark.parametrize(("is_overtaken", "sends"), [(False, 1), (True, 0)])
def test_worker_whose_lease_expired_sends_only_under_a_renewed_lease(
    is_overtaken: bool, sends: int
) -> None:
    mail.write("key", "ann@example.org", "Night 1", ["Hello."])
    sender = StalledSender(is_overtaken=is_overtaken)
    assert sender.send_next("")
    assert sender.sends == sends
    assert OutgoingMail.objects.filter(outcome=Outcome.DELIVERED).count() == sends


def test_worker_that_lost_its_lease_does_not_record_a_result() -> None:
    mail.write("key", "ann@example.org", "Night 1", ["Hello."])
    sender = SlowSender()
    assert sender.send_next("")
    row = OutgoingMail.objects.get()
    assert (row.done_at, row.outcome) == (None, "")
    assert row.lease == sender.taken_over.lease


def test_leagues_with_due_messages_are_listed_longest_wait_first() -> None:
    league = a_league()
    mail.write(f"key {uuid4()}", "ann@example.org", "Night 1", ["Hello."], league=league)
    mail.write(f"key {uuid4()}", "ann@example.org", "Night 2", ["Hello."])
    assert mail.SENDER.leagues_due() == [league.pk, ""]
    assert mail.SENDER.send_next(league.pk)
    assert not mail.SENDER.send_next(league.pk)
    assert mail.SENDER.leagues_due() == [""]


def test_message_can_be_queued_while_the_broker_is_down(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    def away(*_message: object, **_options: object) -> None:
        raise OperationalError

    monkeypatch.setattr("celery.app.base.Celery.send_task", away)
    with django_capture_on_commit_callbacks(execute=True) as calls:
        wake_on_commit("webhooks")
        wake_on_commit("webhooks")
    assert len(calls) == 1
