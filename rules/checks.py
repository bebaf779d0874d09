"""Every reason why a record can't be settled, with a path into it (RECORD.md, "Errors")."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from rules import dealt
from rules.cards import TEXTS, UNSEEN
from rules.contest import BOTH
from rules.game import CardSet, Game, Place, Range, RankOf
from rules.quoting import shown
from rules.reader import Reader
from rules.record import RECORD_KEYS, RESULT, Hand, Player, Problem


def read(record: object) -> tuple[Hand | None, list[Problem]]:
    """The hand of a record, or None with every reason why it can't be settled."""
    if not isinstance(record, Mapping):
        return None, [Problem("", "wrong-type", "a record is an object")]
    reader = Reader(record)
    if not record.keys() <= RECORD_KEYS:
        reader.unknown_keys("", record, RECORD_KEYS)
    found = dealt.game_of(record)
    reader.problems += [Problem(*problem) for problem in found.problems]
    players = reader.players()
    button = reader.button(len(players))
    depth = reader.depth()
    board = reader.board()
    names = {player.name: seat for seat, player in enumerate(players)}
    shared = reader.shared(players, names) if "shared" in record else []
    carried = reader.carried(names) if "carried" in record else []
    took = reader.took(names) if "took" in record else None
    tiebreaks = reader.tiebreaks(names) if "tiebreaks" in record else []
    if found.game is None:
        return None, reader.problems
    chosen = found.game.chosen
    hand = Hand(
        game=found.game,
        variant=found.variant,
        depth=depth,
        button=button,
        players=players,
        board=board,
        carried=carried,
        took=took,
        tiebreaks=tiebreaks,
        odd_chip=str(chosen.get("odd_chip", "seat")),
        unit=int(chosen.get("unit", 1)),
    )
    reader.problems += of_hand(hand, shared, reader.problems)
    return (None if reader.problems else hand), reader.problems


def of_hand(hand: Hand, shared: Sequence[int], known: Sequence[Problem]) -> list[Problem]:
    """What is wrong between a record and its game; `known` are the problems found before."""
    misread = {place for p in known for place in (p.where, p.where.rpartition("/")[0])}
    cards = _cards_in_play(hand, shared)
    distinct = frozenset(cards)
    unseen = UNSEEN in distinct
    if unseen:
        cards = [card for card in cards if card != UNSEEN]
        distinct -= {UNSEEN}
    # the usual case at once
    usual = len(distinct) == len(cards) and distinct <= hand.game.deck
    found = [] if usual else list(_card_problems(hand, shared))
    if hand.game.kill:
        _kill(hand)
    hand.live = [seat for seat, player in enumerate(hand.players) if player.live]
    if hand.depth == RESULT:
        return found + list(_result_problems(hand))
    compared = needs_showing(hand)
    found += _count_problems(hand, misread, compared=compared)
    if compared:
        if unseen:
            found += _unseen_problems(hand)
        found += _declaration_problems(hand, misread)
    if hand.tiebreaks:
        found += _round_problems(hand, misread)
    return found


def needs_showing(hand: Hand) -> bool:
    """Whether hands are compared: more than one is left, or the last one must show."""
    if hand.game.bank:
        return True
    left = len(hand.live)
    return left > 1 or (hand.game.must_show and left == 1)


def _kill(hand: Hand) -> None:
    """A turned killer folds the hand from the start, as far as pots go."""
    for player in hand.players:
        player.killed = any(killers(player, rule) for rule in hand.game.kill)


def killers(player: Player, rule: CardSet) -> list[int]:
    """The cards of a player that kill the hand under a rule."""
    zones = {"down": player.held_down, "up": player.up, "": [*player.held_down, *player.up]}
    return [card for card in zones[rule.zone] if card in rule.cards]


# --- cards --------------------------------------------------------------------------------------


def _cards_in_play(hand: Hand, shared: Sequence[int]) -> list[int]:
    cards = [*shared]
    for row in hand.board:
        cards += row
    for player in hand.players:
        cards += player.down
        cards += player.up
        for pile in player.piles.values():
            cards += pile
    return cards


def _card_problems(hand: Hand, shared: Sequence[int]) -> Iterator[Problem]:
    """Cards that the deck lacks, and cards that are in play twice."""
    seen: dict[int, str] = {}
    for where, owner, card in _places(hand, shared):
        if card == UNSEEN:
            continue
        if card not in hand.game.deck:
            yield Problem(where, "card-not-in-deck", f"the deck has no {TEXTS[card]}")
        elif card in seen:
            yield Problem(where, "card-twice", f"{TEXTS[card]} is {seen[card]} already")
        else:
            seen[card] = owner


def _places(hand: Hand, shared: Sequence[int]) -> Iterator[tuple[str, str, int]]:
    """Every card in play: its path, whose it is, the card."""
    for seat, player in enumerate(hand.players):
        owner = f"{player.name}'s"
        for zone, cards in (("down", player.down), ("up", player.up)):
            yield from ((f"players/{seat}/{zone}/{at}", owner, c) for at, c in enumerate(cards))
        for pile, cards in player.piles.items():
            where = f"players/{seat}/piles/{shown(pile, quote=False)}"
            yield from ((f"{where}/{at}", owner, c) for at, c in enumerate(cards))
    for number, row in enumerate(hand.board):
        yield from ((f"board/{number}/{at}", "on the board", c) for at, c in enumerate(row))
    yield from ((f"shared/{at}/card", "shared", card) for at, card in enumerate(shared))


def _count_problems(hand: Hand, misread: set[str], *, compared: bool) -> Iterator[Problem]:
    game = hand.game
    for seat, player in enumerate(hand.players):
        if game.bank and seat == hand.button:
            yield from _bank_problems(seat, player)
            continue
        whole = compared and player.live
        if not (_zones_hold(game, player) if whole else _zones_fit(game, player)):
            yield from _player_problems(game, seat, player, misread, whole=whole)
        if whole and (game.turned is not None or game.extra_cards):
            yield from _turned_problems(game, seat, player)
        if whole and (game.piles or player.piles):
            yield from _pile_problems(game, seat, player)
    if "board" not in misread:
        yield from _board_problems(hand, misread, whole=compared)


def _zones_hold(game: Game, player: Player) -> bool:
    return game.down.holds(len(player.held_down)) and game.up.holds(len(player.up))


def _zones_fit(game: Game, player: Player) -> bool:
    """Whether a hand that is not compared has no more cards than one that is."""
    return len(player.held_down) <= game.down.most and len(player.up) <= game.up.most


def _player_problems(
    game: Game, seat: int, player: Player, misread: set[str], *, whole: bool
) -> Iterator[Problem]:
    for zone, held in (("down", player.held_down), ("up", player.up)):
        where = f"players/{seat}/{zone}"
        if where not in misread:
            yield from _zone_problems(game, where, zone, len(held), whole=whole)


def _bank_problems(seat: int, player: Player) -> Iterator[Problem]:
    if player.down or player.up:
        zone = "down" if player.down else "up"
        yield Problem(f"players/{seat}/{zone}", "card-count", "the dealer is the bank: no hand")


def _zone_problems(
    game: Game, where: str, zone: str, count: int, *, whole: bool
) -> Iterator[Problem]:
    allowed = game.down if zone == "down" else game.up
    least = allowed.least if whole else 0
    # a killed hand was turned no further, and a folded one may have been thrown away early
    most = allowed.most if whole or game.turned is not None else max(allowed.most, _dealt(game))
    if not least <= count <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        yield Problem(where, "card-count", f"{counted(count)} {zone}, the game leaves {wanted}")


def counted(cards: int) -> str:
    return f"{cards} card{'' if cards == 1 else 's'}"


def _dealt(game: Game) -> int:
    """The most cards a player ever holds, thrown away ones included."""
    return sum(step.most for step in game.steps if step.verb == "deal")


def _turned_problems(game: Game, seat: int, player: Player) -> Iterator[Problem]:
    """Every card dealt lies down or up, and some cards turned earn one more."""
    extra = sum(card in game.extra_cards for card in player.up)
    held, dealt = len(player.held_down) + len(player.up), _dealt_for_good(game)
    if not dealt.holds(held - extra):
        wanted = f"{dealt.most}{f' and {extra} more for cards up' if extra else ''}"
        text = f"{counted(held)} down and up, the game deals {wanted}"
        unseen = "; unseen ones are ??" if game.turned is not None else ""
        yield Problem(f"players/{seat}/down", "card-count", text + unseen)


def _dealt_for_good(game: Game) -> Range:
    """How many cards of one's own there are, not counting those earned by others."""
    if game.turned is not None:
        return Range(game.turned, game.turned)
    earned = 2 * len(game.extra_cards)  # they are counted in both zones
    return Range(game.down.least + game.up.least, game.down.most + game.up.most - earned)


def _pile_problems(game: Game, seat: int, player: Player) -> Iterator[Problem]:
    if not player.piles:
        laid = " and ".join(f"{count} in {pile}" for pile, count in game.pile_cards.items())
        yield Problem(f"players/{seat}/piles", "card-count", f"the game lays {laid}")
        return
    for pile in sorted({*game.piles, *player.piles}):
        held, wanted = len(player.piles.get(pile, ())), game.pile_cards.get(pile, 0)
        if held != wanted:
            text = f"{counted(held)} in {shown(pile)}, the game has {wanted}"
            yield Problem(f"players/{seat}/piles/{shown(pile, quote=False)}", "card-count", text)


def _board_problems(hand: Hand, misread: set[str], *, whole: bool) -> Iterator[Problem]:
    rows = hand.game.board
    lengths = [len(row) for row in hand.board]
    if lengths == [len(row) for row in rows]:
        return
    if len(lengths) > len(rows) or (whole and len(lengths) < len(rows)):
        wanted = " and ".join(str(len(row)) for row in rows) or "no"
        text = f"the board has {len(lengths)} rows, the game has {wanted} cards on it"
        yield Problem("board", "card-count", text)
        return
    for index, length in enumerate(lengths):
        wrong = length != len(rows[index]) if whole else length > len(rows[index])
        if wrong and f"board/{index}" not in misread:
            text = f"{counted(length)} in row {index + 1}, the game has {len(rows[index])}"
            yield Problem(f"board/{index}", "card-count", text)


def _unseen_problems(hand: Hand) -> Iterator[Problem]:
    """Cards that nobody saw, where they count."""
    counting = counting_zones(hand.game)
    for seat, player in enumerate(hand.players):
        if player.live and not (hand.game.bank and seat == hand.button):
            for zone, cards in (("down", player.down), ("up", player.up)):
                if zone in counting:
                    yield from _unseen(f"players/{seat}/{zone}", cards)
    if "board" in counting:
        for index, row in enumerate(hand.board):
            yield from _unseen(f"board/{index}", row)


def _unseen(where: str, cards: Sequence[int]) -> Iterator[Problem]:
    for at, card in enumerate(cards):
        if card == UNSEEN:
            yield Problem(f"{where}/{at}", "unknown-card", "this card counts: which was it?")


ZONES_OF = {
    "down": {"down"},
    "up": {"up"},
    "own": {"down", "up"},
    "pile": {"down"},
}


@lru_cache(maxsize=1024)
def counting_zones(game: Game) -> frozenset[str]:
    """The zones whose cards can matter at the end."""
    places: list[Place] = []
    patterns = [*game.hand] if not game.bank else []
    patterns += [p for share in game.shares for alt in share.alternatives for p in alt.patterns]
    places += [place for pattern in patterns for term in pattern.terms for place in term.places]
    places += [rule.place for rule in (*game.wild, *game.bug) if isinstance(rule, RankOf)]
    zones = {"board"} if game.bank or game.turned is not None else set()
    zones |= {"up"} if game.bank else set()
    return frozenset(zones.union(*(ZONES_OF.get(place.zone, {"board"}) for place in places)))


# --- declarations, results, tie-breaks ----------------------------------------------------------


def declarations(game: Game) -> tuple[str, ...]:
    return (*game.ways, BOTH) if game.declares else ()


def _declaration_problems(hand: Hand, misread: set[str]) -> Iterator[Problem]:
    if not hand.game.declares:
        return
    allowed = declarations(hand.game)
    for seat, player in enumerate(hand.players):
        where = f"players/{seat}/declared"
        if not player.live or where in misread:
            continue
        if player.declared is None:
            yield Problem(where, "not-declared", f"{player.name} did not declare")
        elif player.declared not in allowed:
            text = f"{player.name} may declare {', '.join(allowed)}"
            yield Problem(where, "bad-declaration", text)


def _result_problems(hand: Hand) -> Iterator[Problem]:
    if hand.took is None:
        yield Problem("took", "took-missing", "a result needs what each player took")
        return
    chips_in = sum(p.paid for p in hand.players) + sum(c.amount for c in hand.carried)
    chips_out = sum(hand.took.values())
    if chips_in != chips_out:
        text = f"{chips_in} chips went in and {chips_out} came out"
        yield Problem("took", "took-does-not-add-up", text)


def _round_problems(hand: Hand, misread: set[str]) -> Iterator[Problem]:
    """Hands of a tie-break round: five cards each, no card twice within the round."""
    wanted = hand.game.tiebreak_cards or 5
    for index, dealt_hands in enumerate(hand.tiebreaks):
        counts = Counter(card for cards in dealt_hands.values() for card in cards)
        for name, cards in dealt_hands.items():
            where = f"tiebreaks/{index}/{name}"
            if len(cards) != wanted and where not in misread:
                text = f"{counted(len(cards))}, a tie-break deals {wanted}"
                yield Problem(where, "card-count", text)
            for at, card in enumerate(cards):
                yield from _round_card(hand.game, f"{where}/{at}", card, counts)


def _round_card(game: Game, where: str, card: int, counts: Counter[int]) -> Iterator[Problem]:
    if card == UNSEEN:
        yield Problem(where, "unknown-card", "this card counts: which was it?")
    elif card not in game.deck:
        yield Problem(where, "card-not-in-deck", f"the deck has no {TEXTS[card]}")
    elif counts[card] > 1:
        counts[card] = -counts[card]  # the first stays, the others are too many
    elif counts[card] < 0:
        yield Problem(where, "card-twice", f"{TEXTS[card]} is in the round already")
