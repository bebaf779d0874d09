"""The night's match: a running match with its next deal, or a match that has just been won."""

from collections.abc import Sequence
from dataclasses import dataclass

from league.matches import MatchStatus, match_of_hands, most_counted
from league.models import Night
from league.pages.nights.hand_list import HandLine
from league.pages.nights.stacks import Stack
from league.pages.parts.match_view import MatchCount, counts
from rules.documents import catalog


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningMatch:
    """The match after its last deal. `next` is the next deal's number, or 0 if the match is over.

    `variant` is the game's slug, or "" for a game that is only in the record.
    """

    game: str
    variant: str
    deal: int
    next: int
    counts: list[MatchCount]
    carried: int
    dealer: str
    winners: list[str]


def match_of_night(night: Night, hands: Sequence[HandLine]) -> MatchStatus | None:
    """Return the match that the next hand continues, or that was just won. Newest hands first."""
    if night.state != Night.State.OPEN:
        return None
    return match_of_hands(night, [line.revision for line in reversed(hands)])


def running_match(
    match: MatchStatus | None, hands: Sequence[HandLine], stacks: Sequence[Stack]
) -> RunningMatch | None:
    """Return the match as the page shows it, or None if it ended without a winner."""
    if match is None or (match.over and not match.winners):
        return None
    last = next(line for line in hands if line.id == match.hand)
    is_known = match.variant in catalog.slugs() if isinstance(match.variant, str) else True
    document = match.variant if is_known else last.revision.document.document
    most = most_counted(document, last.revision.record)
    return RunningMatch(
        game=last.game,
        variant=match.variant if isinstance(match.variant, str) else "",
        deal=match.deal,
        next=match.next["match"]["deal"] if match.next else 0,
        counts=list(counts({"legs": match.legs, "lives": match.lives}, most)),
        carried=match.carried,
        dealer=next((stack.name for stack in stacks if stack.deals), ""),
        winners=match.winners,
    )
