"""What programs come with instead of signing in; `keys` writes these rows.

Only hashes are kept: a key is shown once, to whoever made it.
"""

from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils import timezone
from knox.models import AbstractAuthToken

from league.models.limits import LONGEST_NAME
from league.models.people import League, User


class Scope(models.TextChoices):
    """What a key lets a program do at most; each one includes those before it."""

    READ = "read"
    RECORD = "record"
    MANAGE = "manage"


class Token(AbstractAuthToken):
    """A program's key to one league, in the name of the user who made it."""

    id = models.UUIDField(default=uuid4, editable=False, unique=True)
    league = models.ForeignKey(League, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=LONGEST_NAME)
    scope = models.CharField(max_length=20, choices=Scope)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(scope__in=Scope.values), name="league_token_scope_is_known"
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def expired(self) -> bool:
        return self.expiry is not None and self.expiry <= timezone.now()


class FeedLink(models.Model):
    """An address that reads the feeds of a league, for what can't send a token."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    league = models.ForeignKey(League, models.CASCADE, related_name="feed_links")
    name = models.CharField(max_length=LONGEST_NAME)
    key_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name
