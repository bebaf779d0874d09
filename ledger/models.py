"""The ledger's tables. `posting` adds rows, and triggers reject every change to a row.

Rows of disposable books, such as the book of a demo, can be deleted.
"""

from dataclasses import dataclass
from uuid import uuid4

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

# Maximum number of chips in a transfer. Sums of thousands of such transfers still fit into 64 bits.
MOST_CHIPS = 10**15
LONGEST_KEY = 200
LONGEST_KIND = 40
LONGEST_NAME = 200


class Book(models.Model):
    """A closed set of accounts. Chips move only inside a book, so its balances sum to zero.

    `name` is only shown to developers, for example in a shell.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    name = models.CharField(max_length=LONGEST_NAME, blank=True)
    disposable = models.BooleanField(default=False, db_default=False, editable=False)
    created = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return self.name or str(self.id)


class Account(models.Model):
    """An account of a book. The caller chooses its key and kind.

    Accounts of the same kind can be listed together, for example the tabs of all players.
    """

    book = models.ForeignKey(Book, models.PROTECT, related_name="accounts", db_index=False)
    key = models.CharField(max_length=LONGEST_KEY)
    kind = models.CharField(max_length=LONGEST_KIND)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["book", "key"], name="ledger_account_key_once"),
        )
        indexes = (models.Index(fields=["book", "kind", "key"], name="ledger_account_kind"),)

    def __str__(self) -> str:
        return self.key


class Posting(models.Model):
    """Transfers that are posted together. The caller generates `key` before it sends the posting.

    `memo` and `actor` are permanent, so they must not contain people's names. `digest` is computed
    by `ledger.posting.digest` and covers the book, the key, the transfers and, in a reversal, the
    key of the reversed posting (`reverses`).
    """

    book = models.ForeignKey(Book, models.PROTECT, related_name="postings", db_index=False)
    key = models.CharField(max_length=LONGEST_KEY)
    digest = models.CharField(max_length=64, editable=False)
    memo = models.TextField(blank=True)
    actor = models.CharField(max_length=LONGEST_NAME, blank=True)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    reverses = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, related_name="reversal"
    )

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["book", "key"], name="ledger_posting_key_once"),
        )
        # for reading a book's feed and its last posting
        indexes = (models.Index(fields=["book", "id"], name="ledger_posting_in_order"),)

    def __str__(self) -> str:
        return self.key


class Transfer(models.Model):
    """A number of whole chips that left the debit account and entered the credit account.

    In a reversal, `reverses` is the mirrored transfer.
    """

    book = models.ForeignKey(Book, models.PROTECT, related_name="transfers", db_index=False)
    posting = models.ForeignKey(Posting, models.PROTECT, related_name="transfers", db_index=False)
    position = models.PositiveSmallIntegerField()
    debit = models.ForeignKey(Account, models.PROTECT, related_name="debits", db_index=False)
    credit = models.ForeignKey(Account, models.PROTECT, related_name="credits", db_index=False)
    amount = models.BigIntegerField()
    reverses = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, related_name="reversal"
    )

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["posting", "position"], name="ledger_transfer_position_once"
            ),
            models.CheckConstraint(
                condition=Q(amount__gte=1, amount__lte=MOST_CHIPS),
                name="ledger_transfer_amount_is_positive",
            ),
            models.CheckConstraint(
                condition=~Q(debit=F("credit")), name="ledger_transfer_has_two_accounts"
            ),
        )
        # The index includes the amount, so balances can be computed from the index alone.
        indexes = (
            models.Index(fields=["debit", "id", "amount"], name="ledger_transfer_debits"),
            models.Index(fields=["credit", "id", "amount"], name="ledger_transfer_credits"),
        )

    def __str__(self) -> str:
        return f"{self.amount} from {self.debit} to {self.credit}"


@dataclass(frozen=True, slots=True)
class AccountRef:
    """Refers to an account by key. If the book has no such account, posting creates it."""

    key: str
    kind: str


@dataclass(frozen=True, slots=True)
class NewTransfer:
    """A transfer to make: `amount` whole chips from the debit account to the credit account."""

    debit: Account | AccountRef
    credit: Account | AccountRef
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPosting:
    """A posting to make. `memo` and `actor` are as in `models.Posting`."""

    key: str
    transfers: tuple[NewTransfer, ...]
    memo: str = ""
    actor: str = ""
