"""E-mails: written as rows beside what they tell of, sent by the sweep, once for each key.

One whose worker died before it could say that it was sent is sent again, under the same Message-ID.
"""

from collections.abc import Iterable
from datetime import timedelta
from hashlib import sha256
from smtplib import SMTPException
from uuid import uuid4

from django.core.mail import EmailMessage
from django.core.mail.utils import DNS_NAME
from django.utils import timezone

from league.models import Letter

AGAIN = timedelta(minutes=10)
MOST_TRIES = 8
LONGEST_SUBJECT = 200


def write(key: str, to: str, subject: str, lines: Iterable[str]) -> None:
    """Leave a letter to be sent, unless one of this key was left before or there is no address."""
    if not to:
        return
    # No line of a subject may end: what follows would be taken for another header.
    subject = " ".join(subject.split())[:LONGEST_SUBJECT]
    body = "\n".join([*lines, ""])
    letter = {"to": to, "subject": subject, "body": body, "due_at": timezone.now()}
    Letter.objects.get_or_create(key=key, defaults=letter)


def send(letter_id: int, lease: str) -> None:
    """Send the letter under this lease, which is used up by it; one that fails is tried again.

    No transaction is open meanwhile: a slow mail server must not hold the database.
    """
    mine = Letter.objects.filter(pk=letter_id, lease=lease, done_at=None)
    if not mine.update(lease=uuid4()):
        return
    letter = Letter.objects.get(pk=letter_id)
    try:
        _message(letter).send()
    except (OSError, SMTPException):
        _failed(letter)
    else:
        Letter.objects.filter(pk=letter_id).update(done_at=timezone.now())


def _failed(letter: Letter) -> None:
    """Put the letter off, longer each time; what can never be sent is struck out in the end."""
    later = timezone.now() + letter.tries * AGAIN
    given_up = timezone.now() if letter.tries >= MOST_TRIES else None
    Letter.objects.filter(pk=letter.pk).update(due_at=later, leased_until=None, done_at=given_up)


def _message(letter: Letter) -> EmailMessage:
    name = sha256(letter.key.encode()).hexdigest()[:32]
    headers = {"Message-ID": f"<{name}@{DNS_NAME}>"}
    return EmailMessage(letter.subject, letter.body, to=[letter.to], headers=headers)
