"""Turn a sentence into the fields of a game's form, and mark words that do not fit any field.

If the hand is recorded without cards, the winners follow from words or from named hands. Named
hands are compared only if the result is certain: all remaining players have one, the game ranks
poker hands in the usual way, and the ranks that are not named can't change the result.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from rules.cards import RANKS
from rules.game.game import Alternative, Game
from rules.spoken.sentence import (
    FOLDED,
    HIGH,
    LOW,
    NO_SUITS,
    NOT_DECIDED,
    NOT_IN_GAME,
    NUT_LOW,
    Entry,
    HandClass,
    PlayerEntry,
    PlayerPart,
    Sentence,
)

Form = Mapping[str, Any]  # see rules.presentation.form
RESULT = "result"
OF_EQUAL_RANKS = {2: "pair", 3: "trips", 4: "quads"}


def fill(
    form: Form,
    game: Game,
    sentence: Sentence,
    names: Sequence[str],
    *,
    is_result: bool = False,
    carried: int = 0,
) -> Entry:
    """Return the fields of a form that a sentence fills in.

    `names` are the players who were dealt in. `is_result` is whether the form only records a
    result. `carried` is how many chips an earlier hand left in the pot.
    """
    entry = Entry(sentence, marks=list(sentence.marks))
    has_cards = bool(sentence.board) or any(part.cards for part in sentence.players.values())
    decides = any(
        part.wins or part.took is not None or part.hands or len(part.ranks) > 1
        for part in sentence.players.values()
    )
    if has_cards or decides:
        entry.depth = "" if has_cards else RESULT
    is_result = entry.depth == RESULT if entry.depth is not None else is_result
    for name, part in sentence.players.items():
        player = entry.player(name)
        player.state, player.paid, player.took = part.state, part.paid, part.took
        player.hands = list(part.hands)
        category = OF_EQUAL_RANKS.get(len(part.ranks))
        if category and len(set(part.ranks)) == 1 and not has_cards:  # "77" is a pair of sevens
            player.hands.append(HandClass(category, (part.ranks[0],)))
    entry.all_paid = sentence.each
    _fold_unnamed(form, entry, names)
    if is_result:
        entry.pot = sentence.pot
        _award(game, entry, names, carried)
    else:
        _lay_cards(form, entry)
        for name, part in sentence.players.items():
            if part.declared in form["declarations"]:
                entry.player(name).declared = part.declared
            elif part.declared:
                entry.mark(NOT_IN_GAME, "declared", name)
        _share_pot(entry, names, carried)
    entry.marks.sort(key=lambda mark: (mark.start, mark.end))
    return entry


def _fold_unnamed(form: Form, entry: Entry, names: Iterable[str]) -> None:
    """Fold the players who are not named if a sentence names several players' hands.

    In the form, ticking the players who showed has the same effect.
    """
    parts = entry.sentence.players
    left = {name: part for name, part in parts.items() if part.state != FOLDED}
    mucked = [name for name, part in left.items() if part.state == "mucked"]
    named = [n for n, part in left.items() if part.cards or part.ranks or part.hands]
    showed = [name for name in named if name not in mucked]
    compares = not (form["bank"] or form["against_pot"])
    if compares and len({*showed, *mucked}) > 1 and showed and entry.sentence.names_everyone:
        entry.showed = showed
        for name in names:
            if name not in parts:
                entry.player(name).state = FOLDED


# --- cards --------------------------------------------------------------------------------------


def _lay_cards(form: Form, entry: Entry) -> None:
    """Put the cards into the board's rows and the players' zones.

    Cards without a zone are put where there is room.
    """
    sentence, sizes = entry.sentence, [len(row["slots"]) for row in form["board"]]
    if sizes:
        ends = accumulate(sizes)
        rows = [sentence.board[end - size : end] for end, size in zip(ends, sizes, strict=True)]
        rows[-1] += sentence.board[sum(sizes) :]  # too many cards, which the rules report
        entry.board = rows if sentence.board else []
    else:
        entry.mark(NOT_IN_GAME, "board")
    # each zone's maximum number of cards, in the order in which the form fills them
    order = ("up", "down") if form["unturned"] else ("down", "up")
    zones = {zone: form[zone]["most"] for zone in order if form[zone]["most"]}
    zones |= {f"piles/{name}": size for name, size in form["piles"].items()}
    known = _known_cards(form, sentence)
    for name, part in sentence.players.items():
        laid = {zone: list(named) for zone, named in part.cards.items() if zone in zones}
        others = [*part.cards.get("", ()), *known.get(name, ())]
        if {*part.cards} - {"", *zones} or (others and not zones):
            entry.mark(NOT_IN_GAME, "cards", name)
        for place, (zone, size) in enumerate(zones.items(), start=1):
            # too many cards are put into the last zone; the rules report them
            room = size - len(laid.get(zone, ())) if place < len(zones) else len(others)
            laid.setdefault(zone, []).extend(others[: max(0, room)])
            others = others[max(0, room) :]
        entry.player(name).cards = {zone: held for zone, held in laid.items() if held}
        if part.ranks and name not in known:
            entry.mark(NO_SUITS, "ranks", name)
        if part.hands and not (part.cards or part.ranks):
            entry.mark(NO_SUITS, "hand", name)


def _known_cards(form: Form, sentence: Sentence) -> dict[str, list[str]]:
    """Return the cards of players whose ranks leave only one possible choice of suits.

    With 7h and 7c on the board, "bob 77" has 7d and 7s.
    """
    placed = {*sentence.board}
    for part in sentence.players.values():
        placed.update(card for cards in part.cards.values() for card in cards)
    left = [card for card in form["deck"] if card not in placed]
    wanted = [(name, rank) for name, part in sentence.players.items() for rank in part.ranks]
    known: dict[str, list[str]] = {}
    for name, part in sentence.players.items():
        cards: list[str] = []
        for rank in dict.fromkeys(part.ranks):
            fitting = [card for card in left if card[0] == rank]
            others = sum(rank == other for owner, other in wanted if owner != name)
            if others or len(fitting) != part.ranks.count(rank):
                break
            cards += fitting
        else:
            known |= {name: cards} if cards else {}
    return known


# --- chips --------------------------------------------------------------------------------------


def _share_pot(entry: Entry, names: Sequence[str], carried: int) -> None:
    """Split the pot of a showdown evenly among the players without an amount of their own."""
    pot = entry.sentence.pot
    if pot is None:
        return
    entries = {name: entry.players.get(name, PlayerEntry()) for name in names}
    paid = sum(player.paid for player in entries.values() if player.paid is not None)
    payers = [n for n, player in entries.items() if player.paid is None and player.state != FOLDED]
    left = pot - carried - paid
    if entry.all_paid is not None or not payers or left < 0 or left % len(payers):
        entry.mark(NOT_DECIDED, "pot")
        return
    for name in payers:
        entry.player(name).paid = left // len(payers)


def _award(game: Game, entry: Entry, names: Sequence[str], carried: int) -> None:
    """Fill in who won a hand that is recorded without cards."""
    parts, pot = entry.sentence.players, entry.sentence.pot
    if any(part.took is not None for part in parts.values()):
        return
    for name, part in parts.items():
        if part.declared and not part.hands:
            entry.mark(NOT_IN_GAME, "declared", name)
    shares = winners(game, entry, names)
    if len(shares) == 1 and len(shares[0]) == 1:
        entry.winner = shares[0][0]
        return
    if pot is None:
        each = entry.all_paid or 0
        paid = (entry.players.get(name, PlayerEntry()).paid for name in names)
        put_in = sum(each if chips is None else chips for chips in paid)
        pot = put_in + carried if put_in else 0
    took = _divided(shares, pot)
    for name, amount in took.items():
        entry.player(name).took = amount
    if not took:
        has_winners = any(part.wins for part in parts.values())
        for name in parts:
            for key in ("wins",) if has_winners else ("hand", "ranks"):
                entry.mark(NOT_DECIDED, key, name)


def _divided(shares: Sequence[Sequence[str]], total: int) -> dict[str, int]:
    """Return what each winner takes, or {} if a share has no winner or can't be split evenly.

    The pot's odd chips go to the shares in order (docs/rulings.md 3).
    """
    if not total or not all(shares):
        return {}
    took: dict[str, int] = {}
    for place, names in enumerate(shares):
        share = total // len(shares) + (place < total % len(shares))
        if share % len(names):
            return {}
        for name in names:
            took[name] = took.get(name, 0) + share // len(names)
    return took


BOTH = "both"
LOW_RANKS = "A23456789TJQK"
SCALES = {HIGH: {"high"}, LOW: {"best", "worst", "ace-to-six"}}
# the winners of each share of the pot, or of just one share if they win all of them
Winners = list[list[str]]


def winners(game: Game, entry: Entry, names: Iterable[str]) -> Winners:
    """Return the winners of each share. An empty list or share means that it is uncertain."""
    wins = {name: part.wins for name, part in entry.sentence.players.items() if part.wins}
    wins = wins or _by_hands(game, entry, names)
    if {*wins.values()} == {BOTH}:
        return [list(wins)]
    if BOTH in wins.values() or not {*wins.values()} <= {*game.share_names} <= {HIGH, LOW}:
        return []
    return [[name for name, way in wins.items() if way == share] for share in game.share_names]


def _by_hands(game: Game, entry: Entry, names: Iterable[str]) -> dict[str, str]:
    """Return the players with the best named hands and what they win, or {} if uncertain."""
    out = {FOLDED, "mucked"}
    left = [name for name in names if entry.players.get(name, PlayerEntry()).state not in out]
    hands = {name: entry.players.get(name, PlayerEntry()).hands for name in left}
    if not all(hands.values()):
        return {}
    missing = [
        name
        for name, named in hands.items()
        if any(hand.way not in game.share_names for hand in named)
    ]
    for name in missing:
        entry.mark(NOT_IN_GAME, "hand", name)
    declared = {name: entry.sentence.players.get(name, PlayerPart()).declared for name in left}
    if missing or BOTH in declared.values():
        return {}
    best: dict[str, list[str]] = {}
    for way in (HIGH, LOW):
        contest = {
            name: hand
            for name, named in hands.items()
            for hand in named
            if hand.way == way and declared[name] in {"", way}
        }
        best[way] = _best(game, way, contest)
        if contest and not best[way]:
            return {}
    if best[LOW] and best[HIGH] and best[HIGH] != best[LOW]:
        return dict.fromkeys(best[HIGH], HIGH) | dict.fromkeys(best[LOW], LOW)
    return dict.fromkeys(best[HIGH] or best[LOW], BOTH)


def _best(game: Game, way: str, hands: Mapping[str, HandClass]) -> list[str]:
    """Return a list with the player whose hand certainly wins a share, or an empty list."""
    singles = (share for share in game.shares if share.name == way and len(share.alternatives) == 1)
    share = next(singles, None)
    if not hands or share is None:
        return []
    [measure] = share.alternatives
    unusual = share.tests or share.joint > 1 or share.neighbour or measure.beating
    if unusual or measure.scale not in SCALES[way]:
        return []
    if not all(_qualifies(hand, measure) for hand in hands.values()):
        return []
    return [
        name
        for name, hand in hands.items()
        if all(_beats(hand, hands[other], game.order) for other in hands if other != name)
    ]


def _qualifies(hand: HandClass, measure: Alternative) -> bool:
    """Return whether a hand certainly qualifies."""
    if measure.bar is None or hand.category == NUT_LOW:
        return True
    if hand.way == HIGH or measure.bar.rank is None:
        return False
    return LOW_RANKS.index(hand.ranks[0]) <= LOW_RANKS.index(RANKS[measure.bar.rank])


def _beats(hand: HandClass, other: HandClass, order: Sequence[str]) -> bool:
    """Return whether a hand is better, regardless of the ranks that are not named."""
    if hand.way == LOW:
        if NUT_LOW in {hand.category, other.category}:
            return other.category != NUT_LOW
        return _first_difference(hand, other, LOW_RANKS) < 0
    if hand.category not in order or other.category not in order:
        return False
    if hand.category != other.category:
        return order.index(hand.category) > order.index(other.category)
    return _first_difference(hand, other, RANKS) > 0


def _first_difference(hand: HandClass, other: HandClass, ranks: str) -> int:
    pairs = zip(hand.ranks, other.ranks, strict=False)
    differences = (ranks.index(rank) - ranks.index(against) for rank, against in pairs)
    return next((difference for difference in differences if difference), 0)
