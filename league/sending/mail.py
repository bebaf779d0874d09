"""E-mails: written as rows in the transaction of their cause, once for each key.

If the worker dies after sending, the mail is sent again under the same Message-ID.
"""

from collections.abc import Iterable
from datetime import timedelta
from hashlib import sha256
from smtplib import SMTPException
from uuid import uuid4

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.utils import DNS_NAME
from django.utils import timezone
from django.utils.translation import gettext

from league.models import League, OutgoingMail, User
from league.sending.sender import Outcome, Result, Sender

AGAIN = timedelta(minutes=10)
LONGEST_SUBJECT = 200


def are_sent() -> bool:
    """Return whether mail is sent: without a mail server it is printed on standard output."""
    return not settings.EMAIL_BACKEND.endswith((".console.EmailBackend", ".dummy.EmailBackend"))


def write(
    key: str, to: str, subject: str, lines: Iterable[str], *, league: League | None = None
) -> None:
    """Write a mail to be sent, unless there is one of this key or no address.

    A mail of a league waits for the league's turn.
    """
    if not to:
        return
    # A line break in the subject would start another header.
    subject = " ".join(subject.split())[:LONGEST_SUBJECT]
    body = "\n".join([*lines, ""])
    mail = {"to": to, "subject": subject, "body": body, "due_at": timezone.now()}
    OutgoingMail.objects.get_or_create(key=key, defaults={**mail, "league": league})


def write_change(user: User, said: str, *, to: str | None = None) -> None:
    """Write to the user's verified address, or to a former one, that the account was changed."""
    known = EmailAddress.objects.filter(user=user, verified=True, primary=True).first()
    lines = [said, "", gettext("If it was not you, sign in and set a new password.")]
    address = to or (known.email if known else "")
    write(f"account:{uuid4()}", address, gettext("Your account at Dealer's Choice"), lines)


def send_secret(subject: str, body: str, to: str) -> None:
    """Send a mail that opens an account: it is stored in no table and not sent again."""
    EmailMessage(subject, body, to=[to]).send()


class MailSender(Sender[OutgoingMail]):
    """Sends e-mails; the mail server is the same for all leagues."""

    queue = "letters"
    model = OutgoingMail
    league = "league"
    most_tries = 8

    def send(self, mail: OutgoingMail) -> Result:
        try:
            name = sha256(mail.key.encode()).hexdigest()[:32]
            headers = {"Message-ID": f"<{name}@{DNS_NAME}>"}
            EmailMessage(mail.subject, mail.body, to=[mail.to], headers=headers).send()
        except (OSError, SMTPException, ValueError):  # ValueError: the address is invalid
            return Result()
        return Result(Outcome.DELIVERED)

    def wait_after(self, tries: int) -> timedelta:
        return tries * AGAIN


SENDER = MailSender()
