"""Hands, their revisions, and conflicting records from a second phone."""

from typing import Any
from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models.nights import Night
from league.models.people import League, Player, User
from league.models.shared import LONGEST_GAME_NAME, LONGEST_ORIGIN, LONGEST_REASON, ClientKeyed


class GameDocument(models.Model):
    """A game's rules, stored by content hash so that old hands can be replayed.

    If an erasure replaced a name in the document, `rewritten` is the hash of the new content. The
    primary key does not change, because hands and seals refer to it.
    """

    hash = models.CharField(max_length=64, primary_key=True)
    slug = models.CharField(max_length=LONGEST_GAME_NAME, blank=True)
    name = models.CharField(max_length=LONGEST_GAME_NAME)
    document = models.JSONField()
    rewritten = models.CharField(
        max_length=64, blank=True, default="", db_default="", editable=False
    )

    def __str__(self) -> str:
        return self.name


class Hand(models.Model):
    """A recorded hand. Its revisions contain the record.

    `made_at` is when the hand was dealt. `origin` identifies the phone that sent the hand.
    """

    id = models.UUIDField(primary_key=True)
    night = models.ForeignKey(Night, models.PROTECT, related_name="hands", db_index=False)
    number = models.PositiveIntegerField()
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    voided = models.BooleanField(default=False)
    origin = models.CharField(max_length=LONGEST_ORIGIN, blank=True, editable=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["night", "number"], name="league_hand_number_once"),
        )

    def __str__(self) -> str:
        return _("Hand %(number)s") % {"number": self.number}


class Revision(models.Model):
    """A version of a hand's record, with the rules' answer and the posting of its chips.

    Exactly one revision of a hand is `current`. `depth` is full if the record contains actions. If
    `voids` is true, this revision removes the hand. A voiding revision repeats the record and the
    answer of the previous revision, and its posting reverses the previous posting. `carried` is how
    many chips came from earlier hands, and `carry` is how many chips are left for later hands.
    `names` maps each name in the record to the player's id. `made_at` is when the revision was
    saved. A hand's first revision has the id of the hand.
    """

    class Depth(models.TextChoices):
        RESULT = "result"
        SHOWDOWN = "showdown"
        FULL = "full"

    id = models.UUIDField(primary_key=True)
    hand = models.ForeignKey(Hand, models.PROTECT, related_name="revisions", db_index=False)
    number = models.PositiveIntegerField()
    current = models.BooleanField(default=True)
    voids = models.BooleanField(default=False)
    depth = models.CharField(max_length=20, choices=Depth)
    record = models.JSONField()
    answer = models.JSONField()
    document = models.ForeignKey(GameDocument, models.PROTECT, related_name="revisions")
    names = models.JSONField()
    carried = models.BigIntegerField(default=0)
    carry = models.BigIntegerField(default=0)
    posting = models.OneToOneField("ledger.Posting", models.PROTECT, related_name="revision")
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    reason = models.CharField(max_length=LONGEST_REASON, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["hand", "number"], name="league_revision_number_once"),
            models.UniqueConstraint(
                fields=["hand"], condition=Q(current=True), name="league_revision_current_once"
            ),
            models.CheckConstraint(
                condition=Q(carried__gte=0, carry__gte=0), name="league_revision_carries_chips"
            ),
        )

    def __str__(self) -> str:
        return f"{self.hand}, revision {self.number}"


def no_changes() -> list[dict[str, Any]]:
    return []


class Announcement(models.Model):
    """The game and options of a recorded hand as the dealer announced them in the app.

    `variant`, `modifiers` and `options` are the last ones that were announced. `changes` lists the
    changes after the first card was dealt, each as {"at", "step", "modifiers", "options"}, with the
    modifiers and options before the change. Hands without a live deal have no announcement.
    """

    hand = models.OneToOneField(Hand, models.PROTECT, primary_key=True, related_name="announcement")
    variant = models.CharField(max_length=LONGEST_GAME_NAME)
    modifiers = models.JSONField()
    options = models.JSONField()
    changes = models.JSONField(default=no_changes)
    announced_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.variant}, announced {self.announced_at}"


class Objection(ClientKeyed):
    """A player's objection to a hand. `revision` is the version that the player objects to.

    The client creates the id. Rows never change: an objection is open until it has an answer.
    """

    id = models.UUIDField(primary_key=True)
    hand = models.ForeignKey(Hand, models.PROTECT, related_name="objections")
    revision = models.ForeignKey(Revision, models.PROTECT, related_name="+")
    player = models.ForeignKey(Player, models.PROTECT, related_name="objections")
    reason = models.CharField(max_length=LONGEST_REASON)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"{self.player}'s objection to {self.hand}"

    @property
    def final_answer(self) -> "ObjectionAnswer | None":
        """The answer, or None while the objection is open."""
        return getattr(self, "answer", None)


class ObjectionAnswer(models.Model):
    """The answer to an objection. `revision` is the correction, if the hand was corrected."""

    class Kind(models.TextChoices):
        STANDS = "stands"
        CORRECTED = "corrected"
        WITHDRAWN = "withdrawn"

    id = models.UUIDField(primary_key=True, default=uuid4)
    objection = models.OneToOneField(Objection, models.PROTECT, related_name="answer")
    kind = models.CharField(max_length=20, choices=Kind)
    text = models.CharField(max_length=LONGEST_REASON, blank=True)
    revision = models.ForeignKey(Revision, models.PROTECT, null=True, related_name="+")
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(kind="corrected", revision__isnull=False)
                | (~Q(kind="corrected") & Q(revision__isnull=True)),
                name="league_objection_correction_has_revision",
            ),
        )

    def __str__(self) -> str:
        return f"{self.objection}: {self.kind}"


class HandLink(models.Model):
    """A link to a hand's replay that works without a sign-in. Only the token's hash is stored."""

    hand = models.ForeignKey(Hand, models.PROTECT, related_name="links")
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"a link to {self.hand}"


class StaleMark(models.Model):
    """A mark that a hand's stats are out of date.

    It is created in the transaction of the change.
    """

    league = models.ForeignKey(League, models.CASCADE, related_name="stale_marks")
    hand = models.ForeignKey(Hand, models.CASCADE, related_name="stale_marks")
    revision = models.ForeignKey(Revision, models.CASCADE, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"{self.revision} is not counted yet"


class ConflictingRecord(models.Model):
    """A second phone's record of a hand that was already recorded.

    Such a record does not move chips. The client creates the id. `number` is the hand number that
    the phone expected. `made_at` is when the hand was dealt.
    """

    class State(models.TextChoices):
        """The states. Their values are sealed in journals, so only Python names may change."""

        MERGED = "merged"  # the record is the same as the hand
        WAITING = "waiting"  # the record differs, and the host has to decide
        DECLINED = "refused", "Refused"  # the hand stays as it is
        ACCEPTED = "taken", "Taken"  # the hand was corrected to match this record
        # the record was of a different deal and is now a separate hand
        SEPARATED = "dealt", "Dealt"

    id = models.UUIDField(primary_key=True)
    night = models.ForeignKey(Night, models.PROTECT, related_name="conflicts")
    hand = models.ForeignKey(Hand, models.PROTECT, related_name="conflicts")
    origin = models.CharField(max_length=LONGEST_ORIGIN)
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=20, choices=State)
    record = models.JSONField()
    answer = models.JSONField()
    document = models.ForeignKey(GameDocument, models.PROTECT, related_name="+")
    names = models.JSONField()
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    decided_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"another phone's record of {self.hand}"
