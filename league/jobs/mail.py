"""E-mails: written as rows beside what they tell of, sent one after another, once for each key.

One whose worker died before it could say that it was sent is sent again, under the same Message-ID.
"""

from collections.abc import Iterable
from datetime import timedelta
from hashlib import sha256
from smtplib import SMTPException
from uuid import UUID, uuid4

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.utils import DNS_NAME
from django.utils import timezone
from django.utils.translation import gettext

from league.jobs import leases
from league.models import League, OutgoingMail, User

AGAIN = timedelta(minutes=10)
MOST_TRIES = 8
LONGEST_SUBJECT = 200


def are_sent() -> bool:
    """Tell whether mail reaches anybody: without a mail server it ends on standard output."""
    return not settings.EMAIL_BACKEND.endswith((".console.EmailBackend", ".dummy.EmailBackend"))


def write(
    key: str, to: str, subject: str, lines: Iterable[str], *, league: League | None = None
) -> None:
    """Leave a mail to be sent, unless one of this key was left before or there is no address.

    One of a league waits for the league's turn.
    """
    if not to:
        return
    # No line of a subject may end: what follows would be taken for another header.
    subject = " ".join(subject.split())[:LONGEST_SUBJECT]
    body = "\n".join([*lines, ""])
    mail = {"to": to, "subject": subject, "body": body, "due_at": timezone.now()}
    OutgoingMail.objects.get_or_create(key=key, defaults={**mail, "league": league})


def leagues_due() -> list[str]:
    """Return the leagues that have mail to be sent; "" for those that belong to none."""
    due = leases.due(OutgoingMail.objects.all())
    return [str(league or "") for league in leases.keys_of(due, "league", since="due_at")]


def send_next(league: str) -> bool:
    """Send the next mail of the league; tell whether there was one."""
    mine = OutgoingMail.objects.filter(league=UUID(league) if league else None)
    taken = leases.take_due(mine, most=1)
    for mail in taken:
        send(mail.pk, str(mail.lease))
    return bool(taken)


def write_change(user: User, said: str, *, to: str | None = None) -> None:
    """Tell whoever has a proven address that the account was changed; `to` where it was another."""
    known = EmailAddress.objects.filter(user=user, verified=True, primary=True).first()
    lines = [said, "", gettext("If it was not you, sign in and set a new password.")]
    address = to or (known.email if known else "")
    write(f"account:{uuid4()}", address, gettext("Your account at Dealer's Choice"), lines)


def send_secret(subject: str, body: str, to: str) -> None:
    """Send what opens an account: kept in no table, and not tried again."""
    EmailMessage(subject, body, to=[to]).send()


def send(mail_id: int, lease: str) -> None:
    """Send the mail under this lease, which is used up by it; one that fails is tried again.

    No transaction is open meanwhile: a slow mail server must not hold the database.
    """
    rows = OutgoingMail.objects.filter(pk=mail_id)
    if not leases.use_up(rows, lease):
        return
    mail = OutgoingMail.objects.get(pk=mail_id)
    try:
        _message(mail).send()
    except (OSError, SMTPException, ValueError):  # the last: an address that is none
        _failed(mail)
    else:
        leases.finish(rows)


def _failed(mail: OutgoingMail) -> None:
    """Put the mail off, longer each time; what can never be sent is struck out in the end."""
    rows = OutgoingMail.objects.filter(pk=mail.pk)
    if mail.tries >= MOST_TRIES:
        leases.finish(rows)
    else:
        leases.put_off(rows, timezone.now() + mail.tries * AGAIN)


def _message(mail: OutgoingMail) -> EmailMessage:
    name = sha256(mail.key.encode()).hexdigest()[:32]
    headers = {"Message-ID": f"<{name}@{DNS_NAME}>"}
    return EmailMessage(mail.subject, mail.body, to=[mail.to], headers=headers)
