"""The last hand's verdict. All phones following the night show it for `SHOWN_FOR`."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from league.charges.side_bets import SideBet, waiting_bets
from league.models import Hand, Night, Revision
from league.pages.nights.hand_list import HandLine
from league.pages.nights.side_games import SideGamesView
from league.pages.nights.stacks import Stack
from league.pages.parts.answer_view import VerdictView, view_of

SHOWN_FOR = timedelta(minutes=3)


@dataclass(frozen=True, slots=True, kw_only=True)
class LatestVerdict:
    """The newest hand and its verdict.

    `own` is the visitor's net result in chips, or None if the visitor was not dealt in.
    """

    night: Night
    hand: Hand
    line: HandLine
    verdict: VerdictView
    own: int | None
    games: SideGamesView | None
    dealt: list[Revision]

    @property
    def bets(self) -> list[SideBet]:
        """The side bets that this hand decided.

        The page reads the side bets only if they may be charged.
        """
        rounds = (self.games and self.games.games.rounds) or ()
        return waiting_bets(self.night, self.line.revision, rounds, self.dealt)

    @property
    def round_end(self) -> str:
        """How this hand ended a round of the stand-up game, or "" if it didn't."""
        return self.games.round_end(self.hand.pk) if self.games else ""


def latest_verdict(
    night: Night,
    hands: Sequence[HandLine],
    mine: Stack | None,
    games: SideGamesView | None,
    *,
    stays: bool = False,
) -> LatestVerdict | None:
    """Return the newest hand that is not voided with its verdict, or None after `SHOWN_FOR`.

    It stays in a demo, which is dealt long before its visitor arrives.
    """
    line = next((hand for hand in hands if not hand.voided), None)
    if line is None or night.state != Night.State.OPEN:
        return None
    revision = line.revision
    if not stays and timezone.now() - revision.made_at > SHOWN_FOR:
        return None
    names = {str(player): name for name, player in revision.names.items()}
    name = names.get(str(mine.player)) if mine else None
    return LatestVerdict(
        night=night,
        hand=revision.hand,
        line=line,
        verdict=view_of(revision),
        own=revision.answer["net"].get(name) if name else None,
        games=games,
        dealt=[each.revision for each in reversed(hands)],
    )
