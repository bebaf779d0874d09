"""The cards that phones enter for a deal: each player's own cards and the shared board.

Each phone's entry is stored separately, and entries are compared place by place. An entry with more
cards continues the others: K♣ from Bob and K♣ 7♥ from Cat are the board K♣ 7♥. If entries have
different cards in a place, they disagree until someone chooses a version.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, zip_longest
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from league.common.errors import Problem, RefusedError, problem, refuse
from league.deals.open_deal import find_deal
from league.deals.table import HOLDING, Game, game_of
from league.models import Deal, Night, Player, ShownCards, User
from rules.cards import UNSEEN_TEXT
from rules.presentation.form import game_of as game_of_form

LONGEST = 200  # maximum length of a card field in characters
NOT = "-"  # "-Kc" in an entry: this phone removed the K♣ that another phone entered
_CARD = re.compile(r"[2-9TJQKA][cdhs]|\*[1-9]|\?\?")


@dataclass(frozen=True, slots=True)
class Clash:
    """A card that is in two places."""

    card: str
    one: ShownCards
    other: ShownCards


@dataclass(frozen=True, slots=True)
class Version:
    """What some entries have in the places where entries disagree. The longest entry is first.

    A removed card begins with `NOT`.
    """

    cards: list[str]
    entries: list[ShownCards]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A field of a player or of the board for which there are several versions, oldest first."""

    player: Player | None
    field: str
    versions: list[Version]


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
    changes is skipped, and cards that are missing now have been removed. Raises NightClosedError,
    or RefusedError with all problems: a hand before the showdown, unknown fields, unknown cards or
    too many cards.
    """
    deal = find_deal(night, deal_id)
    game = game_of(deal)
    before = {name: _read(text) for name, text in (seen or {}).items()}
    entered = {name: _read(text) for name, text in cards.items()}
    entered = {name: words for name, words in entered.items() if words != before.get(name)}
    refuse(_problems(deal, game, player, entered))
    if not entered:
        return deal
    rows = list(deal.shown.filter(player=player))
    stored = {
        name: text for row in rows if row.told_by_id == by.pk for name, text in row.cards.items()
    }
    for name, words in entered.items():
        others = [row.cards.get(name, "").split() for row in rows if row.told_by_id != by.pk]
        model: list[str] = max(others, key=len, default=[])
        stored[name] = " ".join(
            _lined_up(words, before.get(name, ()), model, _dealt_together(game, name))
        )
    deal.shown.filter(player=player, told_by=by).delete()
    stored = {name: text for name, text in stored.items() if text}
    if stored:
        ShownCards.objects.create(
            deal=deal, player=player, told_by=by, cards=stored, told_at=timezone.now()
        )
    return deal


@transaction.atomic
def choose_version(night: Night, deal_id: UUID, entry_id: int, field: str) -> Deal:
    """Put the cards of the chosen entry into all entries of this field that contradict it.

    Raises NightClosedError, or RefusedError if the entry was changed in the meantime.
    """
    deal = find_deal(night, deal_id)
    chosen = deal.shown.filter(pk=entry_id).first()
    if chosen is None or field not in chosen.cards:
        text = "These cards were changed in the meantime."
        raise RefusedError([problem("cards", "changed", text)])
    right = chosen.cards[field].split()
    for row in deal.shown.filter(player=chosen.player, cards__has_key=field):
        cards = row.cards[field].split()
        cards = [
            fixed if _contradict(card, fixed) else card
            for card, fixed in zip_longest(cards, right[: len(cards)], fillvalue="")
        ]
        row.cards[field] = " ".join(card for card in cards if not card.startswith(NOT))
        row.save(update_fields=["cards"])
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


def entries_by_field(
    entries: Iterable[ShownCards],
) -> dict[tuple[UUID | None, str], list[ShownCards]]:
    """Return the entries, keyed by player and field. The board's player is None."""
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
    """Return the cards of each player, up to the first place where entries disagree.

    The key for the board is None.
    """
    agreed: dict[UUID | None, dict[str, str]] = {}
    for (player, name), rows in entries_by_field(entries).items():
        texts = [row.cards[name].split() for row in rows]
        places = list(zip_longest(*texts, fillvalue=""))
        del places[next(iter(_contested(texts)), len(places)) :]
        if known := [card for place in places if (card := _known_card(place))]:
            agreed.setdefault(player, {})[name] = " ".join(known)
    return agreed


def disagreements(entries: Iterable[ShownCards]) -> Iterator[Disagreement]:
    """Yield the fields for which phones have entered different cards."""
    for (_player, name), rows in entries_by_field(entries).items():
        texts = [row.cards[name].split() for row in rows]
        contested = _contested(texts)
        versions: list[Version] = []
        for row, text in sorted(zip(rows, texts, strict=True), key=lambda pair: -len(pair[1])):
            cards = [text[at] for at in contested if at < len(text)]
            if not {*cards} - {UNSEEN_TEXT}:
                continue
            for version in versions:
                if not any(map(_contradict, version.cards, cards)):
                    version.entries.append(row)
                    break
            else:
                versions.append(Version(cards, [row]))
        if versions:
            versions.sort(key=lambda version: min(map(rows.index, version.entries)))
            yield Disagreement(rows[0].player, name, versions)


def _contested(texts: Sequence[Sequence[str]]) -> list[int]:
    """Return the places for which the texts contain contradicting cards."""
    return [
        at
        for at, cards in enumerate(zip_longest(*texts, fillvalue=""))
        if any(_contradict(*pair) for pair in combinations({*cards}, 2))
    ]


def _contradict(one: str, other: str) -> bool:
    if not one or not other or UNSEEN_TEXT in (one, other):
        return False
    if one.startswith(NOT) or other.startswith(NOT):
        return one != other and one.lstrip(NOT) == other.lstrip(NOT)
    return one != other


def _known_card(place: Collection[str]) -> str:
    """Return the card that entries agree on, or "" if none has a card there."""
    cards = {card for card in place if not card.startswith(NOT)} - {""}
    return min(cards - {UNSEEN_TEXT} or cards, default="")


def _known_cards(row: ShownCards) -> set[str]:
    cards = {card for text in row.cards.values() for card in text.split()} - {UNSEEN_TEXT}
    return {card for card in cards if not card.startswith(NOT)}


def _read(text: str) -> list[str]:
    """Return the cards in the notation of hand records."""
    words = text[: LONGEST + 1].replace("10", "T").replace(",", " ").split()
    return [word[:1].upper() + word[1:].lower() for word in words]


def _lined_up(
    words: Sequence[str], before: Collection[str], model: Sequence[str], sizes: Iterable[int]
) -> list[str]:
    """Return the cards in the same places as in another entry, if their order does not matter.

    `sizes` contains the sizes of the groups of cards that are dealt together. Cards of the other
    entry that were displayed `before` are marked as removed.
    """
    if UNSEEN_TEXT in {*words, *model}:
        return [*words]
    placed: list[str] = []
    end = start = 0
    for size in sizes:
        theirs, mine = (each[start : start + size] for each in (model, words))
        others = [card for card in mine if card not in theirs]
        for card in theirs:
            is_gone = card not in mine and not others
            placed.append(card if card in mine or is_gone else others.pop(0))
            if is_gone and card in before:
                placed[-1] = f"{NOT}{card}"
            if not is_gone or card in before:
                end = len(placed)
        placed += others
        end = len(placed) if others else end
        start += size
    return placed[:end]


def _dealt_together(game: Game, name: str) -> list[int]:
    """Return the sizes of the groups of cards whose order does not matter.

    These are all down cards, and the cards of a board row that are dealt in the same step, unless
    lines through the board give each place a meaning.
    """
    if not name.startswith("board/"):
        most = int(game.form[name]["most"])
        return [most] if name == "down" else [1] * most
    rows = [row["slots"] for row in game.form["board"]]
    slots = rows[int(name.partition("/")[2])]
    if game.form["lines"] not in ([], rows):
        return [1] * len(slots)
    steps = game_of_form(game.variant, game.form["modifiers"], game.form["chosen"]).steps
    step_of = {slot: number for number, step in enumerate(steps) for slot in step.slots}
    return [len([*slots]) for _step, slots in groupby(slots, key=step_of.get)]


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
