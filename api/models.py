"""The answers that were given to requests with a key; `once` writes them."""

from django.conf import settings
from django.db import models
from django.utils import timezone

LONGEST_KEY = 255


class KeptAnswer(models.Model):
    """What a request with this Idempotency-Key was answered, and a hash of what it asked."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    key = models.CharField(max_length=LONGEST_KEY)
    asked = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    location = models.CharField(max_length=500, blank=True)
    body = models.TextField(blank=True)
    made_at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["user", "key"], name="api_answer_once"),)

    def __str__(self) -> str:
        return self.key
