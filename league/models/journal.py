"""The journal, which seals rows with a chain of hashes, and the signatures of closings.

`league.journal` writes the journal, and `league.proofs` writes the signatures. Each league has its
own chain. Rows that belong to no league share a separate chain.
"""

import secrets
from uuid import UUID

from django.db import models
from django.utils import timezone

from league.models.closing import Closing
from league.models.people import League

NO_LEAGUE = UUID(int=0)


def new_salt() -> str:
    return secrets.token_hex(16)


class JournalHead(models.Model):
    """The end of a chain: the number and hash of its last entry.

    `chain` is the league's id, or NO_LEAGUE. Adding an entry locks this row. Digests of names and
    other words contain the `salt`. When a name is erased, the salt is replaced, so guesses at the
    name can't be tested against old digests. In a league that is older than the journal, `sequence`
    is 0 until something is sealed.
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
    """The digests of rows at the time of an action, chained by hash to the previous entry.

    `rows` contains `SealedRow` data as JSON. A closing stores the hash of its entry.
    """

    class Kind(models.TextChoices):
        FOUND = "found"  # the row existed before sealing was possible
        CLOSED = "closed"
        REOPENED = "reopened"
        TOLD = "told"  # another phone recorded a hand that belongs to a closed night
        PICKED = "picked"  # a host chose between two records of a hand from a closed night
        OBJECTED = "objected"  # a player objected to a hand from a closed night
        ANSWERED = "answered"  # an objection to a hand from a closed night was answered
        PLANNED = "planned"
        PAID = "paid"
        WRITTEN = "written"  # a version of a house game or a house rule was saved
        DELETED = "deleted"  # a house game that had never been played was deleted
        NOTED = "noted"
        ERASED = "erased"
        RENAMED = "renamed"  # a player on receipts got a different name

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
    """An Ed25519 key pair that signs a league's closings.

    `public` is in base64url, and `private` is encrypted. If the service's secret key changes, the
    league gets a new pair, and the old public key is kept. A pair without a league signed for all
    leagues in an older version.
    """

    public = models.CharField(primary_key=True, max_length=43)
    private = models.TextField()
    league = models.ForeignKey(League, models.PROTECT, null=True, related_name="signing_keys")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"signing key {self.public}"


class ClosingSignature(models.Model):
    """The signed `statement` of a closing, stored byte for byte.

    It contains digests of the chips and names. The digest of the names contains the `salt`, which
    is deleted when a name is erased. If a player was renamed since, `names` contains the signed
    text. Otherwise it is "", and the text is generated from the rows. If the closing comes from a
    season file, `imported_at` is set and is part of the statement.
    """

    closing = models.OneToOneField(Closing, models.PROTECT, primary_key=True, related_name="signed")
    key = models.ForeignKey(SigningKey, models.PROTECT, related_name="signatures", db_index=False)
    statement = models.TextField()
    signature = models.CharField(max_length=86)
    salt = models.CharField(max_length=32, blank=True)
    names = models.TextField(default="", db_default="", blank=True, editable=False)
    imported_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"signature of {self.closing}"
