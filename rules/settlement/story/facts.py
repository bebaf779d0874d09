"""Facts about hands and the hands that beat them: codes, cards, ranks, chips, names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from rules.cards import CARDS, RANKS, TEXTS, format_cards
from rules.game.game import Alternative, Game
from rules.game.grammar import BADUGI_SCALES, TABLE_SCALES
from rules.game.hand import Hand
from rules.ranking import Scale, read_strength
from rules.settlement.awards import Award, Awards, RankedCard, ShareAward, ranks
from rules.settlement.checks import board_by_slot
from rules.settlement.contest import BOTH
from rules.settlement.story.words import LOW_SCALES
from rules.showdown.game_scales import scale_of
from rules.showdown.measures import points_of
from rules.showdown.naming import counted_singles, plays_as
from rules.showdown.showdown import Showdown, best_as

Facts = dict[str, Any]
Reason = dict[str, Any]
SINGLE_SCALES = ("highest", "lowest")
BADUGI_CARDS = 4
MOST_ROWS = 3  # maximum number of rows that have names


@dataclass(frozen=True)
class Hands:
    """The shown hands, keyed by player and share, as in the answer, with their strengths."""

    named: Mapping[str, Mapping[str, Any]]
    showdown: Showdown
    # cached results
    made: dict[tuple[int, int, int | None, bool], Facts | None] = field(default_factory=dict)
    lying: dict[str, str] = field(default_factory=dict)  # cards of the common rows, keyed by slot


def made_hand(
    hand: Hand,
    hands: Hands,
    seat: int,
    share: int,
    measure: int | None = None,
    *,
    wins: bool = False,
) -> Facts | None:
    """Return a player's hand on a measure of a share, by default the first that it qualifies for.

    For a winning hand on a board with several rows, the facts include the places of the cards. The
    result is cached for all pots.
    """
    key = (seat, share, measure, wins)
    if key in hands.made:
        return hands.made[key]
    game = hand.game
    shown = hands.named.get(hand.players[seat].name, {}).get(game.share_names[share])
    facts: Facts | None = None
    if shown is not None:
        strengths = hands.showdown.strengths[share]
        first = next(index for index, values in enumerate(strengths) if values[seat] >= 0)
        index = first if measure is None else measure
        alternative = game.shares[share].alternatives[index]
        played = hands.showdown.played[share, index, seat]
        cards, stands = shown["cards"], shown["plays_as"]
        if index != first:  # an answer only contains the first measure
            cards, stands = format_cards(played.cards), plays_as(game, alternative, played)
        counted = format_cards(counted_singles(alternative, played))
        facts = measured(game, alternative, strengths[index][seat], cards, stands, counted)
        if wins and not alternative.patterns and not alternative.line and has_places(game):
            facts["lies"] = _card_places(hand, hands, cards)
    hands.made[key] = facts
    return facts


def measured(
    game: Game,
    alternative: Alternative,
    strength: int,
    cards: Sequence[str],
    plays_as: Mapping[str, str],
    counted: Sequence[str],
) -> Facts:
    """Describe a hand of this strength: its category, its cards, and what its wild cards replace.

    If single cards are compared, only the `counted` ones are included.
    """
    name = alternative.scale
    facts: Facts
    if name in TABLE_SCALES:
        category, letters = _ranked(scale_of(game, name), strength)
        facts = {"scale": name, "category": category, "ranks": [*letters], "cards": [*cards]}
    elif name in SINGLE_SCALES:
        singles = [card for _, card in _ordered_singles(game, alternative, counted, plays_as)]
        facts = {"scale": name, "deciding": singles, "cards": [*cards]}
    elif name in BADUGI_SCALES:
        size, packed = strength >> 20, strength & 0xFFFF
        value = packed if name == "hidugi" else 0xFFFF - packed
        ranks = [RANKS[((value >> shift & 15) - 2) % 13] for shift in (12, 8, 4, 0)[:size]]
        facts = {"scale": name, "ranks": ranks, "cards": [*cards]}
    elif name == "holds":
        wanted = sorted(alternative.cards.cards if alternative.cards else (), reverse=True)
        facts = {"scale": name, "deciding": format_cards(wanted), "cards": [*cards]}
    else:
        points = points_of(game, alternative, strength)
        facts = {"scale": name, "points": points, "cards": [*cards]}
        facts |= {"number": alternative.number} if name == "nearest" else {}
    if plays_as and (stands := {one: card for one, card in plays_as.items() if one != card}):
        facts["plays_as"] = stands
    return facts


@lru_cache(maxsize=8192)  # cached, because the same strengths often recur in a game
def _ranked(scale: Scale, strength: int) -> tuple[str, tuple[str, ...]]:
    category, ranks = read_strength(scale, strength)
    return category, tuple(RANKS[(rank - 2) % 13] for rank in ranks)


def _ordered_singles(
    game: Game, alternative: Alternative, counted: Sequence[str], plays_as: Mapping[str, str]
) -> list[tuple[int, str]]:
    """Return the single cards in the order of comparison, best first, with their ranks."""
    sign = -1 if alternative.scale == "lowest" else 1
    values = [game.singles.get(CARDS[plays_as.get(card, card)], 0) for card in counted]
    ranked = [(sign * value, card) for value, card in zip(values, counted, strict=True)]
    return sorted(ranked, key=lambda pair: -pair[0])


def bar_of(share: str, alternative: Alternative) -> Facts | None:
    """Return the qualifier of a share, or None if every hand qualifies."""
    bar = alternative.bar
    if bar is None:
        return None
    facts: Facts = {"share": share, "scale": alternative.scale}
    if alternative.scale in BADUGI_SCALES:
        facts["cards"] = bar.number if bar.category == "cards" else BADUGI_CARDS
    elif alternative.scale in TABLE_SCALES:
        facts["category"] = bar.category
    else:
        return facts | {"number": bar.number}
    return facts if bar.rank is None else facts | {"rank": RANKS[bar.rank]}


def table_hand(hand: Hand, share: int, measure: int) -> Facts | None:
    """Return the hand on the table that players must beat for a share."""
    beating = hand.game.shares[share].alternatives[measure].beating
    changes = {"patterns": beating, "beating": (), "bar": None, "after": None}
    alternative, best = best_as(hand, hand.live[:1], (share, measure), **changes)
    if not best:
        return None
    [(strength, played)] = best.values()
    cards, stands = format_cards(played.cards), plays_as(hand.game, alternative, played)
    counted = format_cards(counted_singles(alternative, played))
    return measured(hand.game, alternative, strength, cards, stands, counted)


def busts(hand: Hand, award: Award, share: ShareAward, hands: Hands) -> Facts:
    """Return the losers of this share whose hands exceed a number, with their points."""
    at, decisive = share.share, share.outcome.alternative or 0
    for index, measure in enumerate(hand.game.shares[at].alternatives[decisive:], decisive):
        if measure.scale == "closest":
            strengths = hands.showdown.strengths[at][index]
            players = contesting(hand, award, hand.game.share_names[at])
            lost = [seat for seat in players if seat not in share.winners and strengths[seat] < 0]
            over = points_over(hand, lost, at, index)
            return {"over": over, "number": measure.number} if over else {}
    return {}


def points_over(hand: Hand, seats: Sequence[int], share: int, measure: int) -> dict[str, float]:
    """Return the points by which each player's hand exceeds the measure's number."""
    changes = {"scale": "least points", "bar": None}
    alternative, best = best_as(hand, seats, (share, measure), **changes) if seats else (None, {})
    return {
        hand.players[seat].name: points_of(hand.game, alternative, best[seat][0])
        for seat in seats
        if alternative is not None and seat in best
    }


# --- deciding cards -------------------------------------------------------------------------------


def decided_by(game: Game, alternative: Alternative, ours: Facts, theirs: Facts) -> Facts | None:
    """Return the first rank or card that decides between two hands of the same kind.

    `over` is empty if the other hand has fewer cards.
    """
    if alternative.scale in TABLE_SCALES:
        if ours["category"] != theirs["category"]:
            return None
        pairs = zip_longest(ours["ranks"], theirs["ranks"])
        cards = next(((one, other) for one, other in pairs if one != other), None)
    elif alternative.scale in SINGLE_SCALES:
        our_cards, their_cards = (
            _ordered_singles(game, alternative, one["deciding"], one.get("plays_as", {}))
            for one in (ours, theirs)
        )
        apart = zip_longest(our_cards, their_cards, fillvalue=(None, ""))
        raw = next(((one[1], two[1]) for one, two in apart if one[0] != two[0]), None)
        stands = (ours.get("plays_as", {}), theirs.get("plays_as", {}))
        cards = raw and (stands[0].get(raw[0], raw[0]), stands[1].get(raw[1], raw[1]))
    else:
        return None
    return {"by": cards[0], "over": cards[1] or None} if cards and cards[0] else None


# --- places of cards ----------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _rows(game: Game) -> tuple[tuple[str, ...], ...]:
    """Return the rows of the board as players see them, including shared cards."""
    whole = [
        next((n for n, row in enumerate(game.board) if len(row) > 1 and {*row} <= {*line}), None)
        for line in game.lines
    ]
    apart = None not in whole and len(set(whole)) == len(whole)
    return game.lines if apart and 1 < len(whole) <= MOST_ROWS else game.board


@lru_cache(maxsize=1024)
def _lines(game: Game) -> tuple[tuple[Facts, tuple[str, ...]], ...]:
    """Return the lines that a hand may play, with their names, if hands play lines."""
    places = {p.zone for pattern in game.hand for term in pattern.terms for p in term.places}
    if "line" not in places or _rows(game) == game.lines:
        return ()
    return tuple((_called(game, line), line) for line in game.lines)


def _called(game: Game, line: tuple[str, ...]) -> Facts:
    """Name a line by its place (a row, a column or a diagonal). Rows start at the left."""
    rows, slots = game.board, {*line}
    for number, row in enumerate(rows, start=1):
        if slots == {*row}:
            return {"kind": "row", "number": number, "of": len(rows)}
    width = max(map(len, rows), default=0)
    columns = [[row[at] for row in rows if len(row) > at] for at in range(width)]
    for number, column in enumerate(columns, start=1):
        if slots == {*column} and len(rows) > 1:
            return {"kind": "column", "number": number, "of": width}
    # the vertical line of a cross, whose rows are centred
    is_centred = len(rows) > 1 and all(len(row) % 2 for row in rows)
    if is_centred and slots == {row[len(row) // 2] for row in rows}:
        return {"kind": "column", "number": width // 2 + 1, "of": width}
    if all(len(row) == len(rows) > 1 for row in rows):
        falling = {row[at] for at, row in enumerate(rows)}
        rising = {row[-at - 1] for at, row in enumerate(rows)}
        if slots in (falling, rising):
            return {"kind": "diagonal"}
    return {"kind": "line"}


def has_places(game: Game) -> bool:
    """Return whether hands play different parts of the board."""
    return len(game.board) > 1 or bool(_lines(game))


def _card_places(hand: Hand, hands: Hands, cards: Sequence[str]) -> Facts:
    """Return which cards are the player's, which are the board's, and the line or row."""
    if not hands.lying:
        common = {card for row in hand.common_rows for card in row}
        hands.lying.update(
            (slot, TEXTS[card]) for slot, card in board_by_slot(hand).items() if card in common
        )
    lying, on_board = hands.lying, {*hands.lying.values()}
    board = [card for card in cards if card in on_board]
    facts: Facts = {"hand": [card for card in cards if card not in on_board], "board": board}
    if lines := _lines(hand.game):
        there = [(called, [lying[s] for s in line if s in lying]) for called, line in lines]
        whole = [each for each in there if {*each[1]} == {*board}]
        played = whole or [each for each in there if {*each[1]} >= {*board}]
        if board and len(played) == 1:
            facts["line"] = {**played[0][0], "cards": played[0][1]}
        return facts
    rows = [{lying[slot] for slot in row if slot in lying} for row in _rows(hand.game)]
    alike = [number for number, row in enumerate(rows, 1) if row >= {*board}]
    if len(alike) == 1:
        facts["row"], facts["rows"] = alike[0], len(rows)
    return facts


# --- ties ---------------------------------------------------------------------------------------


def broken_tie(hand: Hand, awards: Awards, share: ShareAward) -> Facts | None:
    """Return how a tie was broken and between which players, or None if there was no tie."""
    outcome = share.outcome
    if hand.game.ties == "deal":
        if outcome.alternative is not None and len(outcome.tied) < 2:
            return None
        return _dealt(hand, awards, share)
    if len(outcome.tied) <= len(outcome.winners):
        return None
    facts: Facts = {
        "by": hand.game.ties,
        "players": [hand.players[seat].name for seat in outcome.tied],
    }
    if outcome.alternative is not None:
        measure = outcome.share, outcome.alternative
        if hand.game.ties == "suit":
            tied = {seat: awards.highest[*measure, seat] for seat in outcome.tied}
            decides = higher_card(tied, outcome.winners)
            facts |= {"decided_by": decides} if decides else {}
        if hand.game.ties == "natural":
            wild = {seat: awards.wild[*measure, seat] for seat in outcome.tied}
            facts["wild"] = {hand.players[seat].name: number for seat, number in wild.items()}
    return facts


def higher_seats(tied: Mapping[int, list[RankedCard]], seats: Sequence[int]) -> list[int]:
    """Return the seats whose cards are higher than the cards of all other tied hands."""
    best = max((ranks(cards) for seat, cards in tied.items() if seat not in seats), default=[])
    return [seat for seat in seats if ranks(tied[seat]) > best]


def higher_card(tied: Mapping[int, list[RankedCard]], winners: Sequence[int]) -> Facts | None:
    """Return the card with which each winner beats tied hands, and the best card that it beats.

    Return None if no card decides.
    """
    ours = min((tied[seat] for seat in winners), key=ranks)
    others = (cards for seat, cards in tied.items() if seat not in winners)
    theirs = max(others, key=ranks, default=None)
    if theirs is None or ranks(ours) <= ranks(theirs):
        return None
    for one, other in zip_longest(ours, theirs):
        if other is None or one.rank != other.rank:
            return {"by": TEXTS[one.card], "over": None if other is None else TEXTS[other.card]}
    return None


def _dealt(hand: Hand, awards: Awards, share: ShareAward) -> Facts | None:
    """Return the deciding hand of a tie-break round, and the best hand that lost to it."""
    tied = share.outcome.tied
    players = [hand.players[seat].name for seat in tied]
    if share.share in awards.unbroken:
        return {"by": "nothing", "players": players}
    facts: Facts = {"by": "deal", "players": players}
    winner = next(iter(share.winners))
    left = tied
    for index, rounds in sorted(awards.rounds.items()):
        reached = (max(strengths[seat] for seat in left) >= 0 for strengths in rounds)
        at = next((at for at, good in enumerate(reached) if good), None)
        if at is None or len(left) < 2:
            break
        best = max(rounds[at][seat] for seat in left)
        beaten = [seat for seat in left if rounds[at][seat] < best]
        left = tuple(seat for seat in left if rounds[at][seat] == best)
        if not beaten:
            continue
        rival = max(beaten, key=lambda seat: tuple(strengths[seat] for strengths in rounds))
        ours = _made_in_round(hand, index, winner, rounds)
        theirs = _made_in_round(hand, index, rival, rounds)
        facts |= {"hand": ours, "ahead_of": {"player": hand.players[rival].name, "hand": theirs}}
        if ours and theirs and rounds[at][rival] >= 0:
            decides = decided_by(hand.game, hand.game.tiebreak[at], ours, theirs)
            facts |= {"decided_by": decides} if decides else {}
    return facts


def _made_in_round(hand: Hand, index: int, seat: int, rounds: list[dict[int, int]]) -> Facts | None:
    cards = format_cards(hand.tiebreaks[index][hand.players[seat].name])
    for alternative, strengths in zip(hand.game.tiebreak, rounds, strict=True):
        if strengths[seat] >= 0:
            named = alternative.cards
            counted = [card for card in cards if named is None or CARDS[card] in named.cards]
            return measured(hand.game, alternative, strengths[seat], cards, {}, counted)
    return None


# how many ranks are part of a hand's name; other cards can still decide
NAMED_BY = {"two-pair": 2} | dict.fromkeys(
    ("high-card", "pair", "trips", "quads", "flush", "four-flush"), 1
)


def kickers_of(hand: Hand, hands: Hands, share: ShareAward, index: int, made: Facts) -> Facts:
    """Return the kickers of tied hands, and whether all of them are on the board."""
    named = NAMED_BY.get(made.get("category", ""))
    if named is None or made["scale"] in LOW_SCALES or not made["ranks"][named:]:
        return {}
    ranks = made["ranks"][named:]
    common = {TEXTS[card] for row in hand.common_rows for card in row}
    of_each = (made_hand(hand, hands, seat, share.share, index) for seat in share.winners)
    cards = (
        card
        for shown in of_each
        for card in (shown["cards"] if shown else ())
        if shown and shown.get("plays_as", {}).get(card, card)[0] in ranks
    )
    return {"kickers": {"ranks": ranks, "on_board": bool(common) and common.issuperset(cards)}}


# --- rivals -------------------------------------------------------------------------------------


def nobody_facts(hand: Hand, award: Award, share: int, hands: Hands) -> Facts:
    """Return why no player wins a share.

    The reason is an unbeaten hand on the table, or a rule that one player must have the best of
    several hands.
    """
    facts: Facts = {}
    measures, joint = hand.game.shares[share].alternatives, hand.game.shares[share].joint
    seats = contesting(hand, award, hand.game.share_names[share])
    if measures and measures[-1].beating and (table := table_hand(hand, share, -1)):
        facts["table"] = table
    for index in range(joint) if joint > 1 else ():
        strengths = hands.showdown.strengths[share][index]
        highest = max((strengths[seat] for seat in seats), default=-1)
        if highest >= 0:
            best = [seat for seat in seats if strengths[seat] == highest]
            made = made_hand(hand, hands, best[0], share, index)
            reason: Facts = {"players": [hand.players[seat].name for seat in best], "hand": made}
            if (cards := measures[index].cards) and cards.text:
                reason["named"] = cards.text.split()[0]
            facts.setdefault("best", []).append(reason)
    return facts | ({"together": joint} if "best" in facts else {})


def ahead_of(hand: Hand, award: Award, share: ShareAward, hands: Hands, made: Facts) -> Facts:
    """Return the best hand that lost this share, and the deciding card between hands of one kind.

    If no hand lost, return why the winner had no opponent.
    """
    game, at = hand.game, share.share
    name, index = game.share_names[at], share.outcome.alternative
    if index is None:
        return {}
    measures, strengths = game.shares[at].alternatives, hands.showdown.strengths[at]
    decisive = measures[index]
    others = [seat for seat in contesting(hand, award, name) if seat not in share.winners]
    facts: Facts = {}
    if decisive.beating and (table := table_hand(hand, at, index)):
        facts["table"] = table
    if not others:
        alone = game.declares and len(award.pot.seats) > 1
        return facts | ({"only": "declared"} if alone else {})
    joint = game.shares[at].joint
    # one player must win all measures, but others can tie on one of them
    if joint > 1 and index == 0:
        winner = next(iter(share.winners))
        also = (made_hand(hand, hands, winner, at, measure) for measure in range(1, joint))
        return facts | {"also": [made for made in also if made]}
    for measure in range(index, len(measures)):
        best = max(others, key=lambda seat: strengths[measure][seat])
        if strengths[measure][best] >= 0:
            theirs = made_hand(hand, hands, best, at, measure)
            facts["ahead_of"] = {"player": hand.players[best].name, "hand": theirs}
            if theirs and measure == index:
                decides = decided_by(game, decisive, made, theirs)
                facts |= {"decided_by": decides} if decides else {}
            return facts
    # no other hand counts; a qualifier, required cards or tests of the hand may exclude them
    tests_all = all(pattern.tests for pattern in decisive.patterns or game.hand)
    if decisive.bar is not None or decisive.cards or tests_all:
        return facts | {"only": "qualified"}
    return facts | ({"only": "not-over"} if decisive.scale == "closest" else {})


def contesting(hand: Hand, award: Award, share_name: str) -> Sequence[int]:
    """Return the seats of a pot that contest a share and have not failed."""
    if not hand.game.declares:
        return award.pot.seats
    cancelled = award.contest is not None and award.contest.cancelled
    out = () if cancelled else {failure.seat for failure in award.failures}
    left = [seat for seat in award.pot.seats if seat not in out]
    return [seat for seat in left if hand.players[seat].declared in (share_name, BOTH)]


# --- players who went both ways ----------------------------------------------------------------


def kept_shares(game: Game, award: Award, seat: int) -> list[str]:
    """Return the shares that a player keeps if players who went both ways cancel each other out."""
    if award.contest is None or not award.contest.cancelled:
        return []
    return [game.share_names[share.share] for share in award.shares if seat in share.winners]


def dealt_again(hand: Hand) -> Facts:
    """Return the dealer, who deals the same game again."""
    return {"dealer": hand.players[hand.button].name}
