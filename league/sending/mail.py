"""E-mails, stored as rows in the transaction that causes them, once per key.

If a worker dies after sending, the e-mail is sent again with the same Message-ID.
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
    """Return whether e-mails are sent.

    Without a mail server, they are printed to standard output instead.
    """
    return not settings.EMAIL_BACKEND.endswith((".console.EmailBackend", ".dummy.EmailBackend"))


def write(
    key: str, to: str, subject: str, lines: Iterable[str], *, league: League | None = None
) -> None:
    """Queue an e-mail, unless an e-mail with this key exists or the address is empty.

    An e-mail about a league waits for the league's turn.
    """
    if not to:
        return
    # A line break in the subject would start a new header.
    subject = " ".join(subject.split())[:LONGEST_SUBJECT]
    body = "\n".join([*lines, ""])
    mail = {"to": to, "subject": subject, "body": body, "due_at": timezone.now()}
    OutgoingMail.objects.get_or_create(key=key, defaults={**mail, "league": league})


def write_change(user: User, sentence: str, *, to: str | None = None) -> None:
    """Notify the user by e-mail that the account was changed.

    The e-mail is sent to `to`, such as a former address, or to the user's verified address by
    default.
    """
    known = EmailAddress.objects.filter(user=user, verified=True, primary=True).first()
    lines = [sentence, "", gettext("If this wasn't you, sign in and change your password.")]
    address = to or (known.email if known else "")
    write(f"account:{uuid4()}", address, gettext("Your Dealer's Choice account was changed"), lines)


def send_secret(subject: str, body: str, to: str) -> None:
    """Send an e-mail that grants access to an account.

    The e-mail is not stored, and sending is not retried.
    """
    EmailMessage(subject, body, to=[to]).send()


class MailSender(Sender[OutgoingMail]):
    """Sends e-mails. All leagues use the same mail server."""

    queue = "mail"
    model = OutgoingMail
    league_path = "league"
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
