"""Random records of possible hands, generated from a game's form.

This module names no game. It accepts any document, with any modifiers and options that fit.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from random import Random
from typing import Any

from hypothesis import strategies as st

from rules.cards import TEXTS
from rules.documents import catalog
from rules.documents.modifiers import NAMES
from rules.errors import GameError
from rules.game.game import Game
from rules.presentation import form as presentation_form

Record = dict[str, Any]
Form = Mapping[str, Any]
PLAYERS = "ann bob cat dan eve fay gus hal ida jim".split()
MOST_MODIFIERS, CHAINS = 3, 4
MOST_KEPT = 512  # number of cached games with their forms; options are drawn for each record


# --- drawing ------------------------------------------------------------------------------------


@st.composite
def records(draw: st.DrawFn, slugs: Sequence[str] = catalog.slugs()) -> Record:
    """Draw a legal record for a catalog game with modifiers that fit it."""
    slug = draw(st.sampled_from(slugs))
    modifiers = draw(st.sampled_from(combinations(slug)))
    return record(Random(draw(st.integers(0, 2**32))), slug, modifiers)


@cache
def combinations(slug: str) -> tuple[tuple[str, ...], ...]:
    """Return combinations of modifiers that fit a game. They are the same in every run.

    The first combination is empty.
    """
    chains = (_chain(slug, Random(f"{slug} {number}")) for number in range(CHAINS))
    return tuple(dict.fromkeys([(), *chains]))


def _chain(slug: str, chance: Random) -> tuple[str, ...]:
    names = chance.sample(NAMES, len(NAMES))
    most = chance.randint(1, MOST_MODIFIERS)
    modifiers: tuple[str, ...] = ()
    for name in names:
        if len(modifiers) < most and _fits(slug, (*modifiers, name)):
            modifiers = (*modifiers, name)
    return modifiers


def _fits(slug: str, modifiers: tuple[str, ...]) -> bool:
    try:
        presentation_form.document_of(slug, modifiers)
    except GameError:
        return False
    return True


def record(chance: Random, slug: str, modifiers: tuple[str, ...] = ()) -> Record:
    """Draw a record with random options, stakes and cards. The game may be a document."""
    options = _options(chance, _form(slug, modifiers, ()))
    form = _form(slug, modifiers, tuple(options.items()))
    least, most = form["players"]
    seats = chance.randint(max(2, least), max(2, min(most, 8)))
    while True:
        hand: Record = {
            "variant": _variant(slug),
            "button": chance.randrange(seats),
            "players": _players(chance, form, seats),
            "modifiers": list(modifiers),
            "options": options,
        }
        try:
            _deal(chance, form, _game(slug, modifiers, tuple(options.items())), hand)
        except IndexError:  # the deck has run out
            seats -= 1
        else:
            _beside(chance, form, hand)
            _in_match(chance, _game(slug, modifiers, tuple(options.items())), hand)
            return {key: value for key, value in hand.items() if value not in ([], {})}


@lru_cache(maxsize=MOST_KEPT)
def _form(
    slug: str, modifiers: tuple[str, ...], options: tuple[tuple[str, str | int], ...]
) -> Form:
    return presentation_form.form(_variant(slug), modifiers, dict(options))


@lru_cache(maxsize=MOST_KEPT)
def _game(
    slug: str, modifiers: tuple[str, ...], options: tuple[tuple[str, str | int], ...]
) -> Game:
    return presentation_form.game_of(_variant(slug), modifiers, dict(options))


def _variant(slug: str) -> Any:
    return json.loads(slug) if slug.startswith("{") else slug


def _options(chance: Random, form: Form) -> dict[str, str | int]:
    """Draw the options. Half of them keep their defaults. Required options are always set."""
    chosen: dict[str, str | int] = {}
    for option in form["options"]:
        if option["asked"] or chance.random() < 0.4:
            if "choices" in option:
                chosen[option["name"]] = chance.choice(option["choices"])["name"]
            else:
                most = min(option["most"], option["least"] + 10)
                chosen[option["name"]] = chance.randint(option["least"], most)
    return chosen


# --- players and their chips --------------------------------------------------------------------


def _players(chance: Random, form: Form, seats: int) -> list[Record]:
    stake = chance.choice([0, 1, 5, 12, 33])
    dead = chance.choice([0, 0, 0, 1, 2])
    return [_player(chance, form, name, stake, dead) for name in PLAYERS[:seats]]


def _player(chance: Random, form: Form, name: str, stake: int, dead: int) -> Record:
    player: Record = {"name": name, "paid": stake}
    fate = chance.random()
    if fate < 0.15:
        player |= {"paid": chance.randint(0, stake), "folded": True}
        if form["late_folds"] and chance.random() < 0.5:
            player["folded"] = "late"
    elif fate < 0.2:
        player |= {"paid": chance.randint(0, stake), "mucked": True}
    elif fate < 0.4:
        player |= {"paid": chance.randint(0, stake), "all_in": True}
    elif fate < 0.5:
        player["paid"] += chance.randint(0, 9)
    if dead and chance.random() < 0.5:
        player |= {"paid": player["paid"] + dead, "dead": dead}
    if form["declarations"] and not is_out(player):
        player["declared"] = chance.choice(form["declarations"])
    return player


def is_out(player: Record) -> bool:
    return bool(player.get("folded") or player.get("mucked"))


# --- cards --------------------------------------------------------------------------------------


def _deal(chance: Random, form: Form, game: Game, hand: Record) -> None:
    deck = list(form["deck"])
    chance.shuffle(deck)
    if chance.random() < 0.2:  # use few ranks, so that ties are common
        few = chance.sample("23456789TJQKA", chance.randint(3, 6))
        deck.sort(key=lambda card: card[0] in few)
    hand["board"] = [_take(deck, len(row["slots"])) for row in form["board"]]
    hand["shared"] = _shared(chance, form, hand, deck)
    extra = {TEXTS[card] for card in game.extra_cards}
    for index, player in enumerate(hand["players"]):
        if form["bank"] and index == hand["button"]:
            player.pop("dead", None)
            player["paid"] = 0
        elif form["dealt"] is not None:
            _turn(chance, form, player, deck, extra)
        elif not (is_out(player) and chance.random() < 0.5):
            _hand(chance, game, player, deck, _held(hand, player))
            _earn(player, deck, extra)


def _held(hand: Record, player: Record) -> int:
    return sum(player["name"] in item["for"] for item in hand["shared"])


def _hand(chance: Random, game: Game, player: Record, deck: list[str], held: int) -> None:
    """Draw down cards, up cards and piles. Earned cards are added later."""
    down = game.down.least if game.extra_cards else chance.randint(game.down.least, game.down.most)
    up = game.up.least if game.extra_cards else chance.randint(game.up.least, game.up.most)
    player |= {"down": _take(deck, down - held), "up": _take(deck, up)}
    if game.pile_cards:
        player["piles"] = {pile: _take(deck, n) for pile, n in game.pile_cards.items()}


def _earn(player: Record, deck: list[str], extra: set[str]) -> None:
    """Draw an up card for each card that earns one, even if that card was itself earned."""
    up = player["up"]
    earned = 0
    while earned < sum(card in extra for card in up):
        up.append(deck.pop())
        earned += 1


def _take(deck: list[str], count: int) -> list[str]:
    return [deck.pop() for _ in range(count)]


def _shared(chance: Random, form: Form, hand: Record, deck: list[str]) -> list[dict[str, Any]]:
    """Sometimes draw cards that several players share, such as a bought common card."""
    if form["dealt"] is not None or form["bank"] or form["down"]["least"] < 2:
        return []
    if chance.random() < 0.8:
        return []
    names = [player["name"] for player in hand["players"]]
    return [{"card": deck.pop(), "for": chance.sample(names, chance.randint(1, len(names)))}]


def _turn(chance: Random, form: Form, player: Record, deck: list[str], extra: set[str]) -> None:
    """Draw cards that are turned one by one. Some of them earn another card."""
    down = _take(deck, form["dealt"])
    up: list[str] = []
    for _ in range(chance.randint(1, form["dealt"])):
        up.append(down.pop(0))
        if up[-1] in extra:
            down.append(deck.pop())
    if form["unturned"] and chance.random() < 0.5:
        down = ["??"] * len(down)
    player |= {"down": down, "up": up}


# --- other parts of a record ---------------------------------------------------------------------


def _beside(chance: Random, form: Form, hand: Record) -> None:
    names = [player["name"] for player in hand["players"]]
    if chance.random() < 0.3:
        hand["carried"] = chance.randint(0, 9)
    elif chance.random() < 0.3:
        some = chance.sample(names, chance.randint(1, len(names)))
        hand["carried"] = [{"amount": chance.randint(0, 9)}, {"amount": 5, "for": some}]
    if chance.random() < 0.2:
        hand["took"] = {name: chance.randint(0, 40) for name in names}
    if form["tiebreak"]:
        hand["tiebreaks"] = [_round(chance, form, names) for _ in range(chance.choice([0, 1, 2]))]


def _in_match(chance: Random, game: Game, hand: Record) -> None:
    """Sometimes draw a match state: legs, or lives with at least one for each player."""
    rules = game.match
    if rules is None or chance.random() < 0.3:
        return
    names = [player["name"] for player in hand["players"]]
    match: Record = {"deal": chance.randint(1, 9)}
    if rules.legs:
        match["legs"] = {name: chance.randrange(rules.legs) for name in names}
    if rules.lives:
        match["lives"] = {name: chance.randint(1, rules.lives) for name in names}
    hand["match"] = match


def _round(chance: Random, form: Form, names: list[str]) -> dict[str, list[str]]:
    deck = list(form["deck"])
    chance.shuffle(deck)
    return {name: _take(deck, form["tiebreak"]) for name in names}


# --- about a record -----------------------------------------------------------------------------


def document_of(hand: Record) -> dict[str, Any]:
    """Return the document that the record was dealt under, with its modifiers applied."""
    return presentation_form.document_of(hand["variant"], hand.get("modifiers", ()))


def form_of(hand: Record) -> Form:
    options = tuple(hand.get("options", {}).items())
    variant = hand["variant"]
    slug = variant if isinstance(variant, str) else json.dumps(variant)
    return _form(slug, tuple(hand.get("modifiers", ())), options)
