"""The end of a night: the podium, the hand of the night, the biggest swing, and the recap."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from league.chat.services import BY_CODE
from league.closing.close import current_closing
from league.common.money import in_money
from league.hands.objections import open_at
from league.models import ChatPost, Night, Objection
from league.pages.nights.hand_list import HandLine
from league.pages.nights.stacks import Stack
from league.pages.parts.answer_view import CardFace, face
from league.recap import (
    HandOfTheNight,
    Swing,
    biggest_swing,
    hand_of_the_night,
    on_podium,
    placings,
)
from league.scoring.season_table import Placing
from league.sending.sender import Outcome

NEW_FOR = timedelta(minutes=5)  # the podium is animated only for this long after the closing


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedNight:
    """The recap at the top of a closed night's page.

    Placings include the money. `own` is the visitor's placing, unless it is on the podium. `posted`
    and `sending` are the names of the chat services that the recap was or is being sent to.
    `objections` are the objections that were open when the night was closed.
    """

    podium: list[tuple[Placing, str]]
    own: tuple[Placing, str] | None
    players: int
    best: HandOfTheNight | None
    cards: list[CardFace]
    swing: Swing | None
    posted: list[str]
    sending: list[str]
    objections: list[Objection]
    is_new: bool


def closed_night(
    night: Night, stacks: Sequence[Stack], hands: Sequence[HandLine], own: Stack | None
) -> ClosedNight:
    """Return the recap. `hands` are newest first, and `own` is the visitor's stack."""
    placed = placings([stack.counted for stack in stacks if stack.counted])
    is_even = not any(row.score for row in placed)
    podium = [(row, in_money(row.score, night)) for row in on_podium(placed) if not is_even]
    others = [] if is_even else placed[len(podium) :]
    mine = next((row for row in others if own and row.player == own.player), None)
    dealt = [line.revision for line in reversed(hands) if not line.voided]
    best = hand_of_the_night(dealt)
    closing = current_closing(night)
    posts = ChatPost.objects.filter(closing=closing, outcome__in=("", Outcome.DELIVERED))
    services: dict[str, dict[str, str]] = {"": {}, Outcome.DELIVERED: {}}
    for code, outcome in posts.order_by("made_at").values_list("channel__service", "outcome"):
        services[outcome][code] = str(BY_CODE[code].title)
    return ClosedNight(
        podium=podium,
        own=mine and (mine, in_money(mine.score, night)),
        players=len(placed),
        best=best,
        cards=[face(card, plays_as=best.plays_as.get(card, "")) for card in best.cards]
        if best
        else [],
        swing=biggest_swing(dealt),
        posted=list(services[Outcome.DELIVERED].values()),
        sending=list(services[""].values()),
        objections=list(open_at(closing)),
        is_new=night.ended_at is not None and timezone.now() - night.ended_at < NEW_FOR,
    )
