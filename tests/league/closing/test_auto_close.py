"""A night closes automatically: the scheduler starts it, a worker closes it, and e-mails follow."""

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import StringIO
from uuid import uuid4

import pytest
import time_machine
from celery.beat import Scheduler
from django.core import mail
from django.core.management import call_command
from pytest_django import Settings

from config.celery import app
from league import tasks
from league.closing import close
from league.closing.chip_count import count
from league.closing.close import close_night, current_closing
from league.closing.closing_hash import hash_of
from league.closing.payments import promise, receive
from league.closing.receipts import as_csv, receipt, share, shared_night
from league.integrity.audit import audit
from league.jobs import closing_jobs, leases
from league.models import ClosingJob, Membership, Night, OutgoingMail, Player, User
from league.nights.opening import open_night
from league.options import choose, options_of
from league.sending import mail as outgoing
from tests.helpers.league.leagues import a_night, a_user, holdem, player
from tests.helpers.league.nights import a_table, again, counted, dealt, planned, tabs

pytestmark = pytest.mark.django_db

EVENING = datetime(2026, 3, 7, 23, tzinfo=UTC)


def wait_for(true: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


def tick(scheduler: Scheduler) -> None:
    """Send everything that is due now."""
    while scheduler.tick() == 0:
        pass


def with_mail(night: Night, name: str) -> User:
    user = a_user(name.lower())
    user.email = f"{name.lower()}@example.org"
    user.save()
    Player.objects.filter(league=night.league, name=name).update(user=user)
    return user


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("running_worker")
def test_celery_beat_closes_a_demo_night() -> None:
    with time_machine.travel(EVENING, tick=True) as clock:
        scheduler = Scheduler(app=app)
        call_command("demo", "--hands", "12", stdout=StringIO())
        night = Night.objects.select_related("season__league").get()
        choose(night.league, replace(options_of(night.league), uncounted="hands"))
        for name in ("Ann", "Bob"):
            with_mail(night, name)
        # 23:00 UTC. The league closes nights at 06:00 in its time zone, which is UTC.
        clock.move_to(EVENING + timedelta(hours=7, minutes=-1))
        tick(scheduler)
        time.sleep(0.3)
        assert again(night).state == Night.State.OPEN
        clock.shift(timedelta(minutes=2))
        tick(scheduler)
        wait_for(lambda: again(night).state == Night.State.CLOSED)
        clock.shift(timedelta(seconds=30))
        tick(scheduler)
        wait_for(lambda: len(mail.outbox) == 2)
        wait_for(lambda: not OutgoingMail.objects.filter(done_at=None).exists())
    assert sorted(letter.to for letter in mail.outbox) == [["ann@example.org"], ["bob@example.org"]]
    assert "The Thursday Table: Night 1 is closed" in {each.subject for each in mail.outbox}
    closing = current_closing(night)
    made = receipt(night)
    assert made is not None
    assert len(made.hands) == night.hands.count()
    assert sum(line.net for line in made.lines) == 0
    assert closing.hash == hash_of(closing)
    assert closing.hash in as_csv(made)
    assert shared_night(share(night, by=None)) == night
    for planned_payment in closing.plan.payments.all():
        receive(planned_payment, uuid4(), planned_payment.chips, by=None)
    assert tabs(night.league) == {}
    assert audit() == []


def closed_by_itself(night: Night) -> Night:
    """Move the clock past the closing hour and run the due jobs."""
    for job in leases.lease_due(ClosingJob.objects.all()):
        close.close_due(job.pk, str(job.lease))
    return again(night)


def test_counted_night_closes_automatically() -> None:
    with time_machine.travel(EVENING, tick=False) as clock:
        night = a_night()
        dealt(night)
        counted(night)
        clock.shift(timedelta(hours=8))
        assert closed_by_itself(night).state == Night.State.CLOSED
    assert planned(current_closing(night)) == ["bob pays ann 10"]
    assert current_closing(night).made_by is None


def test_uncounted_night_stays_open_and_hosts_are_reminded_less_and_less_often() -> None:
    with time_machine.travel(EVENING, tick=False) as clock:
        night = a_night()
        host = Membership.objects.get(league=night.league).user
        host.email = "host@example.org"
        host.save()
        dealt(night)
        for _ in range(9):
            clock.shift(timedelta(hours=24))
            assert closed_by_itself(night).state == Night.State.OPEN
        job = ClosingJob.objects.get(night=night)
    assert (job.asks, job.asked) == ("not-counted", 9)
    # Reminders are sent after one, two, four and eight days.
    assert OutgoingMail.objects.filter(to="host@example.org").count() == 4
    first = OutgoingMail.objects.order_by("pk").first()
    assert first is not None
    assert "count the chips of ann, bob, cat, dan first" in first.body


def test_uncounted_night_closes_by_its_hands_if_the_league_allows_it() -> None:
    with time_machine.travel(EVENING, tick=False) as clock:
        night = a_table(uncounted="hands")
        dealt(night)
        clock.shift(timedelta(hours=8))
        assert closed_by_itself(night).state == Night.State.CLOSED
    assert current_closing(night).by_hands


def test_night_with_a_chip_difference_waits_for_a_host_even_if_hands_decide() -> None:
    with time_machine.travel(EVENING, tick=False) as clock:
        night = a_table(uncounted="hands")
        count(night, player(night, "ann"), 99, count_id=uuid4(), by=None)
        clock.shift(timedelta(hours=8))
        assert closed_by_itself(night).state == Night.State.OPEN
        assert ClosingJob.objects.get(night=night).asks == "does-not-add-up"


def test_night_with_recent_hands_is_not_closed() -> None:
    with time_machine.travel(EVENING, tick=False) as clock:
        night = a_table(uncounted="hands")
        clock.move_to(EVENING + timedelta(hours=6, minutes=30))
        dealt(night)
        clock.shift(timedelta(minutes=45))
        assert closed_by_itself(night).state == Night.State.OPEN
        job = ClosingJob.objects.get(night=night)
        assert (job.asks, job.due_at) == ("", EVENING + timedelta(hours=7, minutes=30))
        clock.shift(timedelta(minutes=20))
        assert closed_by_itself(night).state == Night.State.CLOSED


def test_manually_closed_night_does_not_close_again() -> None:
    with time_machine.travel(EVENING, tick=False) as clock:
        night = a_night()
        counted(night)
        close_night(night, uuid4(), by=None)
        clock.shift(timedelta(days=2))
        closed_by_itself(night)
    assert night.closings.count() == 1


def test_sweep_schedules_the_closing_of_nights_without_a_job() -> None:
    night = open_night(a_night().league)
    ClosingJob.objects.all().delete()
    closing_jobs.schedule_missing()
    assert ClosingJob.objects.filter(night=night, done_at=None).count() == 1


def a_letter() -> OutgoingMail:
    outgoing.write("key", "ann@example.org", "Night 1\nBcc: evil@example.org", ["Hello."])
    outgoing.write("key", "ann@example.org", "another", [])
    return leases.lease_due(OutgoingMail.objects.all())[0]


def test_email_is_sent_once_and_its_subject_has_no_line_break() -> None:
    letter = a_letter()
    for _ in range(2):
        outgoing.SENDER.deliver(letter)
    sent = mail.outbox
    assert [each.subject for each in sent] == ["Night 1 Bcc: evil@example.org"]
    assert OutgoingMail.objects.get().done_at is not None


def test_failing_email_is_retried_a_limited_number_of_times(
    settings: Settings,
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    with time_machine.travel(EVENING, tick=False) as clock:
        letter = a_letter()
        tries = 0
        while OutgoingMail.objects.filter(done_at=None).exists():
            outgoing.SENDER.deliver(letter)
            tries += 1
            clock.shift(timedelta(hours=3))
            for each in leases.lease_due(OutgoingMail.objects.all()):
                letter = each
    assert tries == outgoing.SENDER.most_tries


def test_debtor_is_reminded_a_few_times_over_several_days() -> None:
    with time_machine.travel(EVENING, tick=False) as clock:
        night = a_night()
        with_mail(night, "bob")
        dealt(night)
        counted(night)
        closing = close_night(night, uuid4(), by=None)
        before = OutgoingMail.objects.count()
        for _ in range(100):
            clock.shift(timedelta(hours=12))
            tasks.remind_payers()
        assert OutgoingMail.objects.count() - before == 4
        receive(closing.plan.payments.get(), uuid4(), 10, by=None)
        clock.shift(timedelta(days=60))
        tasks.remind_payers()
        assert OutgoingMail.objects.count() - before == 4
    last = OutgoingMail.objects.order_by("-pk").first()
    assert last is not None
    assert last.subject == "Tuesday: 0.10 USD to ann"


def test_payee_is_reminded_to_confirm_promised_payments() -> None:
    with time_machine.travel(EVENING, tick=False) as clock:
        night = a_night()
        dealt(night)
        with_mail(night, "ann")
        with_mail(night, "bob")
        counted(night)
        debt = close_night(night, uuid4(), by=None).plan.payments.get()
        before = OutgoingMail.objects.count()
        promise(debt, uuid4(), 10, by=None)
        clock.shift(timedelta(days=4))
        tasks.remind_payers()
    letters = OutgoingMail.objects.order_by("pk")[before:]
    assert [(each.to, each.subject) for each in letters] == [
        ("ann@example.org", "Tuesday: 0.10 USD from bob")
    ]


def test_emails_contain_a_link_if_the_service_has_a_public_address(
    settings: Settings,
) -> None:
    settings.SITE_URL = "https://example.org"
    night = a_night()
    with_mail(night, "bob")
    dealt(night)
    counted(night)
    close_night(night, uuid4(), by=None)
    assert OutgoingMail.objects.get().body == (
        "You lost 10 chips (0.10 USD).\n"
        "bob lost 10, ann won 10: bob pays ann 10 (0.10 USD).\n"
        f"https://example.org/nights/{night.pk}/payments\n"
    )


def test_email_uses_singular_and_plural_chips() -> None:
    night = a_night()
    for name in ("ann", "bob"):
        with_mail(night, name)
    record = holdem()
    dealt(night, record | {"players": [each | {"paid": 1} for each in record["players"]]})
    counted(night)
    close_night(night, uuid4(), by=None)
    said = {letter.to: letter.body.splitlines()[0] for letter in OutgoingMail.objects.all()}
    assert said == {
        "ann@example.org": "You won 1 chip (0.01 USD).",
        "bob@example.org": "You lost 1 chip (0.01 USD).",
    }


def test_closing_hour_is_in_the_leagues_time_zone() -> None:
    """06:00 in Sydney is 19:00 UTC on the previous day."""
    with time_machine.travel(EVENING, tick=False):
        league = a_night().league
        league.time_zone = "Australia/Sydney"
        league.save()
        night = open_night(league)
        assert ClosingJob.objects.get(night=night).due_at == EVENING + timedelta(hours=20)
