"""The match of a night as its page shows it: running, with the next deal, or just won."""

from collections.abc import Sequence
from dataclasses import dataclass

from league.matches.standing import Standing, standing
from league.models import Night
from league.pages.nights.night_summary import Line
from league.pages.parts.match_view import Count, counts


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningMatch:
    """The match after its last deal; `next` is the number of the deal to come, 0 when it is over.

    `game` can be named by its slug, unless a record brought it along.
    """

    game: str
    variant: str
    deal: int
    next: int
    counts: list[Count]
    carried: int
    dealer: str
    winners: list[str]


def match_of_night(night: Night, hands: Sequence[Line]) -> Standing | None:
    """Return the match whose deal the night's last hand is; hands come newest first."""
    if night.state != Night.State.OPEN:
        return None
    return standing([line.revision for line in reversed(hands)])


def running_match(match: Standing | None, hands: Sequence[Line]) -> RunningMatch | None:
    """Return what the page says of it; nothing of one that ended with its pot, as any hand does."""
    if match is None or (match.over and not match.winners):
        return None
    last = next(line for line in hands if line.id == match.hand)
    return RunningMatch(
        game=last.game,
        variant=match.variant if isinstance(match.variant, str) else "",
        deal=match.deal,
        next=match.next["match"]["deal"] if match.next else 0,
        counts=list(counts({"legs": match.legs, "lives": match.lives})),
        carried=match.carried,
        dealer=match.dealer,
        winners=match.winners,
    )
