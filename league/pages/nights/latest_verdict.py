"""The verdict of the hand that was just saved, on every phone of the night, for a while."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from league.charges.side_bets import SideBet, waiting_bets
from league.hands.detail_level import record_at_the_end
from league.models import Hand, Night
from league.pages.nights.night_summary import Line, Stack
from league.pages.parts.answer_view import View, view

SHOWN_FOR = timedelta(minutes=3)


@dataclass(frozen=True, slots=True, kw_only=True)
class LatestVerdict:
    """`own` are the chips that whoever looks has won or lost; None for who was not dealt in."""

    night: Night
    hand: Hand
    line: Line
    verdict: View
    own: int | None

    @property
    def bets(self) -> list[SideBet]:
        """Side bets that the hand has won; asked for only where they may be charged."""
        return waiting_bets(self.night, self.line.revision)


def latest_verdict(night: Night, hands: Sequence[Line], mine: Stack | None) -> LatestVerdict | None:
    """Return the night's newest hand with its verdict; None once it is a while ago."""
    if not hands or hands[0].voided or night.state != Night.State.OPEN:
        return None
    line = hands[0]
    revision = line.revision
    if timezone.now() - revision.made_at > SHOWN_FOR:
        return None
    names = {str(player): name for name, player in revision.names.items()}
    name = names.get(str(mine.player)) if mine else None
    return LatestVerdict(
        night=night,
        hand=revision.hand,
        line=line,
        verdict=view(record_at_the_end(revision), revision.answer),
        own=revision.answer["net"].get(name) if name else None,
    )
