"""The chain of everything that is sealed, which `journal` writes, and what is signed of closings,
which `proofs` writes.

There is one chain for each league, and one for what belongs to no league.
"""

import secrets
from uuid import UUID

from django.db import models
from django.utils import timezone

from league.models.closing import Closing
from league.models.people import League, User

NO_LEAGUE = UUID(int=0)


def new_salt() -> str:
    return secrets.token_hex(16)


class JournalHead(models.Model):
    """Where a chain ends: the number and the hash of its last entry.

    `chain` is the id of the league, or NO_LEAGUE, which has no `league`. Whoever adds an entry
    holds this row. Digests of words have the `salt` in them: when a name goes, the old one goes
    with it, and no guess at the name can be tried any more. At number 0 nothing is sealed yet of a
    league that was there before there were journals.
    """

    chain = models.UUIDField(primary_key=True)
    league = models.OneToOneField(
        League, models.PROTECT, null=True, related_name="journal", editable=False
    )
    sequence = models.PositiveBigIntegerField(default=0)
    hash = models.CharField(max_length=64, blank=True)
    salt = models.CharField(max_length=32, default=new_salt)

    def __str__(self) -> str:
        return f"journal of {self.chain}, {self.sequence} entries"


class JournalEntry(models.Model):
    """Digests of rows as they stood when something was done, chained by hash to the entry before.

    `rows` are those of `sealed.SealedRow`; a closing has the hash of the entry that took it in.
    """

    class Kind(models.TextChoices):
        FOUND = "found"  # was there before it could be sealed
        CLOSED = "closed"
        REOPENED = "reopened"
        TOLD = "told"  # by another phone, of a hand of a closed night
        PICKED = "picked"  # between tellings of a hand of a closed night
        PLANNED = "planned"
        PAID = "paid"
        WRITTEN = "written"  # a version of a house game
        DELETED = "deleted"  # a house game that nobody played
        NOTED = "noted"
        ERASED = "erased"

    hash = models.CharField(primary_key=True, max_length=64)
    chain = models.ForeignKey(
        JournalHead, models.PROTECT, related_name="entries", db_column="chain", db_index=False
    )
    sequence = models.PositiveBigIntegerField()
    kind = models.CharField(max_length=20, choices=Kind)
    rows = models.JSONField()
    previous_hash = models.CharField(max_length=64, blank=True)
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name_plural = "journal entries"
        constraints = (
            models.UniqueConstraint(fields=["chain", "sequence"], name="league_journal_once"),
        )

    def __str__(self) -> str:
        return f"journal entry {self.sequence}, {self.kind}"


class SigningKey(models.Model):
    """A key pair that signs the closings of a league (Ed25519).

    `public` is the public half in base64url, `private` is encrypted. If the secret of the service
    changes, the league gets a new pair, and the public half of the old one stays. A pair without a
    league signed for all of them before each had its own.
    """

    public = models.CharField(primary_key=True, max_length=43)
    private = models.TextField()
    league = models.ForeignKey(League, models.PROTECT, null=True, related_name="signing_keys")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"signing key {self.public}"


class ClosingSignature(models.Model):
    """What was signed of a closing: `statement` to the byte, which has digests of its chips and of
    its names. The digest of the names has the `salt`, which goes with a name that is erased.

    A closing of a season file has `imported_at`, which its statement contains.
    """

    closing = models.OneToOneField(Closing, models.PROTECT, primary_key=True, related_name="signed")
    key = models.ForeignKey(SigningKey, models.PROTECT, related_name="signatures", db_index=False)
    statement = models.TextField()
    signature = models.CharField(max_length=86)
    salt = models.CharField(max_length=32, blank=True)
    imported_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"signature of {self.closing}"


# What somebody did of which no other row tells; `logbook` writes these rows.


class LogbookEntry(models.Model):
    """Who did what; kept as it was written. `of` is whom it was done to, `about` what with.

    No address, nothing that was typed and never a secret: an entry can't be taken out again.
    """

    class Kind(models.TextChoices):
        SIGNED_IN = "signed-in"
        WRONG_PASSWORD = "wrong-password"  # noqa: S105 (no password)
        LOCKED_OUT = "locked-out"
        PASSWORD_CHANGED = "password-changed"  # noqa: S105
        PASSWORD_RESET = "password-reset"  # noqa: S105
        PASSWORD_LINK_MADE = "password-link-made"  # noqa: S105
        PASSWORD_LINK_USED = "password-link-used"  # noqa: S105
        USERNAME_CHANGED = "username-changed"
        EMAIL_CHANGED = "email-changed"
        SECOND_FACTOR_ADDED = "second-factor-added"
        SECOND_FACTOR_REMOVED = "second-factor-removed"
        RECOVERY_CODES_MADE = "recovery-codes-made"
        PASSKEY_ADDED = "passkey-added"
        PASSKEY_REMOVED = "passkey-removed"
        PUSH_ADDED = "push-added"
        PUSH_ENDED = "push-ended"
        SESSIONS_ENDED = "sessions-ended"
        SIGN_IN_LINKED = "sign-in-linked"
        SIGN_IN_UNLINKED = "sign-in-unlinked"
        PAYMENT_METHOD_ADDED = "payment-method-added"
        PAYMENT_METHOD_REMOVED = "payment-method-removed"
        TOKEN_MADE = "token-made"  # noqa: S105 (no token)
        TOKEN_ENDED = "token-ended"  # noqa: S105
        LINK_MADE = "link-made"
        LINK_ENDED = "link-ended"
        ROLE_CHANGED = "role-changed"
        MEMBER_REMOVED = "member-removed"
        CODE_RENEWED = "code-renewed"
        INVITED = "invited"
        INVITATION_ENDED = "invitation-ended"
        JOINED = "joined"
        JOIN_ASKED = "join-asked"
        JOIN_REFUSED = "join-refused"
        NAME_RELEASED = "name-released"
        PHONE_SIGNED_OUT = "phone-signed-out"
        RECEIPT_SHARED = "receipt-shared"
        RECEIPT_UNSHARED = "receipt-unshared"
        HAND_SHARED = "hand-shared"
        HAND_UNSHARED = "hand-unshared"
        ANSWERS_SHARED = "answers-shared"
        ANSWERS_UNSHARED = "answers-unshared"
        SCREEN_SHARED = "screen-shared"
        SCREEN_UNSHARED = "screen-unshared"
        CHAT_ADDED = "chat-added"
        CHAT_ENDED = "chat-ended"
        WEBHOOK_MADE = "webhook-made"
        WEBHOOK_CHANGED = "webhook-changed"
        WEBHOOK_RENEWED = "webhook-renewed"
        WEBHOOK_STOPPED = "webhook-stopped"
        WEBHOOK_STARTED = "webhook-started"
        WEBHOOK_RETIRED = "webhook-retired"
        WEBHOOK_RESENT = "webhook-resent"
        OPTIONS_CHANGED = "options-changed"
        IMPORTED = "imported"
        SEASON_IMPORTED = "season-imported"
        AUDIT_FAILED = "audit-failed"

    kind = models.CharField(max_length=40, choices=Kind)
    league = models.ForeignKey(League, models.PROTECT, null=True, related_name="logbook")
    of = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    about = models.JSONField(default=dict)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name_plural = "logbook entries"
        indexes = (
            models.Index(fields=["league", "-made_at"], name="league_logbook_in_order"),
            models.Index(fields=["made_by", "-made_at"], name="league_logbook_of_user"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.made_at}"
