"""Closed nights that were not played, such as a night started by mistake and cancelled."""

from django.db.models import Exists, OuterRef, Q

from league.models import ClosingLine, Hand, Night, Tournament

# The condition for a closing's line in which nothing happened.
EMPTY = Q(counted__isnull=True) | Q(counted=0)
for name in (
    *("bought", "cashed", "stack", "back", "put_right", "bears"),
    *("entered", "prizes", "cash", "charged"),
):
    EMPTY &= Q(**{name: 0})
_NIGHT = {"night": OuterRef("pk")}
_LINES = ClosingLine.objects.filter(
    closing__night=OuterRef("pk"), closing__posting__reversal=None
).exclude(EMPTY)
# The condition for a closed night without hands, tournaments and chips. It does not count.
UNPLAYED = (
    Q(state=Night.State.CLOSED)
    & ~Exists(Hand.objects.filter(voided=False, **_NIGHT))
    & ~Exists(Tournament.objects.filter(called_off_at=None, **_NIGHT))
    & ~Exists(_LINES)
)


def was_played(night: Night) -> bool:
    """Return whether the night is open, or anything happened in it before it was closed."""
    return not Night.objects.filter(UNPLAYED, pk=night.pk).exists()
