"""The cards that phones enter for a deal: each player's own cards and the shared board.

Each phone's entry is stored separately, and entries are never merged. If two entries differ, or the
same card is in two places, the result is a clash that lists both entries.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from league.common.errors import Problem, problem, refuse
from league.deals.open_deal import find_deal
from league.deals.table import HOLDING, Game, game_of
from league.models import Deal, Night, Player, ShownCards, User
from rules.cards import UNSEEN_TEXT

LONGEST = 200  # maximum length of a card field in characters
_CARD = re.compile(r"[2-9TJQKA][cdhs]|\*[1-9]|\?\?")


@dataclass(frozen=True, slots=True)
class Clash:
    """A card that is in two places, or a place for which two phones entered different cards."""

    card: str  # "" if there are two different entries for the same place
    one: ShownCards
    other: ShownCards


@transaction.atomic
def show_cards(
    night: Night, deal_id: UUID, player: Player | None, cards: Mapping[str, str], *, by: User
) -> Deal:
    """Store a player's cards, or the board's cards if `player` is None.

    The cards replace the user's earlier entry. `cards` maps fields ("down", "up", "board/0") to
    cards as text. Raises NightClosedError, or RefusedError with all problems: a hand before the
    showdown, unknown fields, unknown cards or too many cards.
    """
    deal = find_deal(night, deal_id)
    game = game_of(deal)
    entered = {}  # the cards in the notation of hand records
    for name, text in cards.items():
        words = text[: LONGEST + 1].replace("10", "T").replace(",", " ").split()
        entered[name] = [word[:1].upper() + word[1:].lower() for word in words]
    refuse(_problems(deal, game, player, entered))
    rows = deal.shown.filter(player=player, told_by=by)
    rows.delete()
    if any(entered.values()):
        ShownCards.objects.create(
            deal=deal,
            player=player,
            told_by=by,
            cards={name: " ".join(words) for name, words in entered.items() if words},
            told_at=timezone.now(),
        )
    return deal


def fields_of(game: Game, player: Player | None) -> dict[str, int]:
    """Return the card fields of a player or of the board, with the maximum number of cards."""
    if player is None:
        return {f"board/{n}": len(row["slots"]) for n, row in enumerate(game.form["board"])}
    zones = {zone: int(game.form[zone]["most"]) for zone in ("down", "up")}
    return {zone: most for zone, most in zones.items() if most}


def card_entries(deal: Deal) -> QuerySet[ShownCards]:
    """Return all entries, oldest first."""
    return deal.shown.select_related("player").order_by("told_at", "pk")


def clashes(entries: Iterable[ShownCards]) -> Iterator[Clash]:
    """Yield the clashes between entries, each pair once."""
    rows = list(entries)
    for at, other in enumerate(rows):
        for one in rows[:at]:
            if one.player_id == other.player_id:
                if one.cards != other.cards:
                    yield Clash("", one, other)
                continue
            for card in sorted(_seen_cards(one) & _seen_cards(other)):
                yield Clash(card, one, other)


def agreed_cards(entries: Iterable[ShownCards]) -> dict[UUID | None, dict[str, str]]:
    """Return the cards of each player whose entries agree. The key for the board is None."""
    cards: dict[UUID | None, dict[str, str]] = {}
    contested = set()
    for row in entries:
        if cards.setdefault(row.player_id, row.cards) != row.cards:
            contested.add(row.player_id)
    return {player: cards[player] for player in cards if player not in contested}


def _seen_cards(row: ShownCards) -> set[str]:
    return {card for text in row.cards.values() for card in text.split()} - {UNSEEN_TEXT}


def _problems(
    deal: Deal, game: Game, player: Player | None, entered: Mapping[str, list[str]]
) -> Iterator[Problem]:
    if player and game.stage(deal.stage)["kind"] != "showdown":
        yield problem("cards", "not-now", "Cards are shown at the showdown.")
        return
    row = deal.players.filter(player=player).first() if player else None
    if player and (row is None or row.state not in HOLDING):
        yield problem("cards", "not-in", f"{player} is not in this hand.")
        return
    most, deck = fields_of(game, player), set(game.form["deck"])
    for name, cards in entered.items():
        if name not in most:
            yield problem(name, "unknown-field", "This game has no such cards.")
        elif len(cards) > most[name]:
            yield problem(name, "card-count", f"This place has at most {most[name]} cards.")
        for card in cards[: most.get(name, 0)]:
            if not _CARD.fullmatch(card) or (card != UNSEEN_TEXT and card not in deck):
                yield problem(name, "unknown-card", f"{card} is not in this game's deck.")
