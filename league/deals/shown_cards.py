"""The cards that phones enter for a deal: each player's own cards and the shared board.

An entry replaces the entries that its form displayed. Entries for the board that have not seen each
other are merged if their cards fit: K♣ from Bob and K♣ 7♥ from Cat are the board K♣ 7♥. If they
contradict each other, both stay until someone chooses one. Only one user enters a player's cards.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, takewhile
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from league.common.errors import Problem, RefusedError, problem, refuse
from league.deals.open_deal import find_deal
from league.deals.table import HOLDING, Game, board_steps, game_of
from league.models import Deal, Night, Player, ShownCards, User
from rules.cards import UNSEEN_TEXT

LONGEST = 200  # maximum length of a card field in characters
_CARD = re.compile(r"[2-9TJQKA][cdhs]|\*[1-9]|\?\?")


@dataclass(frozen=True, slots=True)
class Clash:
    """A card that is in two places."""

    card: str
    one: ShownCards
    other: ShownCards


@transaction.atomic
def show_cards(
    night: Night,
    deal_id: UUID,
    player: Player | None,
    cards: Mapping[str, str],
    *,
    by: User,
    seen: Mapping[str, str] | None = None,
) -> Deal:
    """Store a player's cards, or the board's cards if `player` is None.

    `cards` maps fields ("down", "up", "board/0") to cards as text. They replace the user's earlier
    entries in these fields. `seen` contains the cards that the form displayed: a field without
    changes is skipped, and other entries are replaced if all their cards were displayed. Raises
    NightClosedError, or RefusedError with all problems: a hand before the showdown, unknown fields,
    unknown cards or too many cards.
    """
    deal = find_deal(night, deal_id)
    game = game_of(deal)
    displayed = {name: _read(text) for name, text in (seen or {}).items()}
    entered = {name: _read(text) for name, text in cards.items()}
    entered = {name: words for name, words in entered.items() if words != displayed.get(name)}
    refuse(_problems(deal, game, player, entered))
    if not entered:
        return deal
    rows = {row.told_by_id: row for row in deal.shown.filter(player=player)}
    stored = rows.pop(by.pk).cards if by.pk in rows else {}
    for name, mine in entered.items():
        words = mine
        for row in rows.values():
            theirs = row.cards.get(name, "").split()
            if player or {*theirs} <= {*displayed.get(name, ())}:
                row.cards.pop(name, None)
                continue
            merged = _merged(theirs, words, _dealt_together(game, name))
            if merged == theirs:
                words = []
            elif merged:
                del row.cards[name]
                words = merged
        stored[name] = " ".join(words)
    for row in rows.values():
        row.save(update_fields=["cards"])
    deal.shown.filter(player=player, told_by=by).delete()
    stored = {name: text for name, text in stored.items() if text}
    if stored:
        ShownCards.objects.create(
            deal=deal, player=player, told_by=by, cards=stored, told_at=timezone.now()
        )
    return deal


@transaction.atomic
def choose_version(night: Night, deal_id: UUID, entry_id: int, field: str) -> Deal:
    """Remove the entries of a board field that contradict the chosen one.

    Their later cards are kept. Raises NightClosedError, or RefusedError if the entry was changed in
    the meantime.
    """
    deal = find_deal(night, deal_id)
    rows = {row.pk: row for row in deal.shown.filter(player=None) if field in row.cards}
    chosen = rows.pop(entry_id, None)
    if chosen is None:
        text = "These cards were changed in the meantime."
        raise RefusedError([problem("cards", "changed", text)])
    cards = chosen.cards[field].split()
    later = _shared_start([row.cards.pop(field).split()[len(cards) :] for row in rows.values()])
    chosen.cards[field] = " ".join([*cards, *(card for card in later if card not in cards)])
    for row in (chosen, *rows.values()):
        row.save(update_fields=["cards"])
    return deal


def fields_of(game: Game, player: Player | None) -> dict[str, int]:
    """Return the card fields of a player or of the board, with the maximum number of cards."""
    if player is None:
        return {f"board/{n}": len(row["slots"]) for n, row in enumerate(game.form["board"])}
    zones = {zone: int(game.form[zone]["most"]) for zone in ("down", "up")}
    return {zone: most for zone, most in zones.items() if most}


def card_entries(deal: Deal) -> QuerySet[ShownCards]:
    """Return the entries for the board and for players who are not out, oldest first."""
    holding = deal.players.filter(state__in=HOLDING).values("player")
    entries = deal.shown.filter(Q(player=None) | Q(player__in=holding))
    return entries.select_related("player").order_by("told_at", "pk")


def entries_by_field(
    entries: Iterable[ShownCards],
) -> dict[tuple[UUID | None, str], list[ShownCards]]:
    """Return the entries, keyed by player and field. The board's player is None.

    If a field has several entries, they contradict each other.
    """
    fields: dict[tuple[UUID | None, str], list[ShownCards]] = {}
    for row in entries:
        for name in row.cards:
            fields.setdefault((row.player_id, name), []).append(row)
    return fields


def clashes(entries: Iterable[ShownCards]) -> Iterator[Clash]:
    """Yield the cards that are in two places, each once for two places."""
    found = set()
    for one, other in combinations(entries, 2):
        if one.player_id != other.player_id:
            for card in sorted(_known_cards(one) & _known_cards(other)):
                places = (card, frozenset({one.player_id, other.player_id}))
                if places not in found:
                    found.add(places)
                    yield Clash(card, one, other)


def agreed_cards(entries: Iterable[ShownCards]) -> dict[UUID | None, dict[str, str]]:
    """Return the cards of each player, up to the first place where entries contradict each other.

    The key for the board is None.
    """
    agreed: dict[UUID | None, dict[str, str]] = {}
    for (player, name), rows in entries_by_field(entries).items():
        if known := _shared_start([row.cards[name].split() for row in rows]):
            agreed.setdefault(player, {})[name] = " ".join(known)
    return agreed


def _known_cards(row: ShownCards) -> set[str]:
    return {card for text in row.cards.values() for card in text.split()} - {UNSEEN_TEXT}


def _read(text: str) -> list[str]:
    """Return the cards in the notation of hand records."""
    words = text[: LONGEST + 1].replace("10", "T").replace(",", " ").split()
    return [word[:1].upper() + word[1:].lower() for word in words]


def _shared_start(entries: Iterable[Sequence[str]]) -> list[str]:
    """Return the cards before the first place where the entries differ."""
    places = takewhile(lambda cards: len({*cards}) == 1, zip(*entries, strict=False))
    return [cards[0] for cards in places]


def _merged(theirs: list[str], mine: list[str], sizes: Iterable[int]) -> list[str] | None:
    """Return two entries merged into one, or None if they contradict each other.

    `sizes` contains the numbers of cards that are dealt together, whose order does not matter. An
    unseen card may be any card, so its place does.
    """
    merged: list[str] = []
    start = 0
    for size in sizes:
        end = start + size
        short, group = sorted((theirs[start:end], mine[start:end]), key=len)
        if group[: len(short)] != short:
            if UNSEEN_TEXT in (*short, *group):
                return None
            group = [*dict.fromkeys([*theirs[start:end], *mine[start:end]])]
        if len(group) > size:
            return None
        merged += group
        start = end
    return merged


def _dealt_together(game: Game, name: str) -> list[int]:
    """Return how many slots of a board row each step deals.

    The order of cards that are dealt together does not matter, unless lines through the board give
    each slot a meaning.
    """
    rows = [row["slots"] for row in game.form["board"]]
    slots = rows[int(name.partition("/")[2])]
    if game.form["lines"] not in ([], rows):
        return [1] * len(slots)
    return [len({*slots} & {*step}) for step in board_steps(game.variant, game.form)]


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
            yield problem(name, "unknown-field", "This game doesn't use these cards.")
        elif len(cards) > most[name]:
            yield problem(name, "card-count", f"Enter at most {most[name]} cards here.")
        for card in cards[: most.get(name, 0)]:
            if not _CARD.fullmatch(card) or (card != UNSEEN_TEXT and card not in deck):
                yield problem(name, "unknown-card", f"{card} is not in this game's deck.")
