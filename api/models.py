"""Stored responses to requests with an `Idempotency-Key`, written by `idempotent`."""

from django.conf import settings
from django.db import models
from django.utils import timezone

LONGEST_KEY = 255
LONGEST_BEARER = 128  # length of a token's digest


class IdempotencyRecord(models.Model):
    """The response to a request with this Idempotency-Key, and a hash of the request.

    A key belongs to its sender: a user's session (no `bearer`) or one token. `rights` are the
    sender's rights in the `league` at that time. A sender who has since lost any of them does not
    get the stored response.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    key = models.CharField(max_length=LONGEST_KEY)
    bearer = models.CharField(max_length=LONGEST_BEARER, blank=True, default="", db_default="")
    league = models.CharField(max_length=36, blank=True, default="", db_default="")
    rights = models.CharField(max_length=100, blank=True, default="", db_default="")
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    location = models.CharField(max_length=500, blank=True)
    body = models.TextField(blank=True)
    made_at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["user", "bearer", "key"], name="api_idempotency_key_once"
            ),
        )

    def __str__(self) -> str:
        return self.key
