"""Charts as they were drawn: one row for each state of the data that somebody looked at."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from league.models.people import League


class RenderedChart(models.Model):
    """A chart in every look and size, once for all who look at it.

    `digest` is a hash of the documents, data and words included: what has changed is another row,
    so a row is never stale. Until `pictures` are there the row is the mark that it is wanted;
    `leased_until` says that a worker is at it. `sizes` are [width, height] by name of the size.
    """

    class State(models.TextChoices):
        WANTED = "wanted"
        FOUND = "found"
        FAILED = "failed"

    digest = models.CharField(max_length=64, primary_key=True)
    league = models.ForeignKey(League, models.CASCADE, related_name="+", db_index=False)
    words = models.TextField()
    sizes = models.JSONField()
    documents = models.JSONField()
    pictures = models.JSONField(null=True, blank=True)
    state = models.CharField(max_length=20, choices=State, default=State.WANTED)
    tries = models.PositiveSmallIntegerField(default=0)
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    leased_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(state="found", pictures__isnull=False)
                | (~Q(state="found") & Q(pictures__isnull=True)),
                name="league_rendered_chart_is_found",
            ),
        )
        indexes = (
            models.Index(fields=["league", "asked_at"], name="league_rendered_charts_by_age"),
            models.Index(
                fields=["asked_at"], condition=Q(state="wanted"), name="league_rendered_charts_due"
            ),
        )

    def __str__(self) -> str:
        return f"{self.digest[:12]}, {self.state}"
