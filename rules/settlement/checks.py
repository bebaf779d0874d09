"""Find all errors of a hand according to its game (docs/record.md, "Errors").

`rules.settlement.reading` finds errors that do not depend on the game.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice

from rules.cards import NATURAL_CARDS, TEXTS, UNSEEN, sign
from rules.errors import Problem, counted, path_part, quoted
from rules.game.game import CardOf, CardSet, Game, MatchState, Place, Range, RankOf
from rules.game.hand import RESULT, EndedDeal, Hand, Player
from rules.game.workload import MOST_PROBLEMS
from rules.settlement.contest import BOTH
from rules.settlement.house import POSTS, is_pair, takes_turn, winning_cards

BAD_MATCH = "bad-match"
CALLS = ("high", "low")
COUNTS = "no one two three four five six seven eight nine ten eleven twelve".split()


def hand_problems(hand: Hand, shared: Sequence[int], known: Sequence[Problem]) -> list[Problem]:
    """Return the errors of a record according to its game. `known` contains earlier errors.

    Sets `hand.live`, and `killed` and `ended` if a card kills hands.
    """
    misread = {place for p in known for place in (p.where, p.where.rpartition("/")[0])}
    game = hand.game
    cards = [*shared, *chain.from_iterable(hand.board)]
    for player in hand.players:
        cards += chain(player.down, player.up, *player.piles.values())
    unusual = not game.deck.issuperset(cards) or len(set(cards)) < len(cards)
    problems = _first(_card_problems(hand, shared)) if unusual else []
    if game.kill:
        _kill(hand)
    hand.live = [
        seat
        for seat, player in enumerate(hand.players)
        if not (player.folded or player.mucked or player.killed)
    ]
    if hand.match is not None:
        problems += _match_problems(hand, hand.match)
    if hand.depth == RESULT:
        return problems + list(_result_problems(hand))
    if game.against_pot:
        problems += _first(_turn_problems(hand, misread))
    compared = needs_showdown(hand)
    problems += _count_problems(hand, misread, compared=compared)
    if compared:
        if unusual and UNSEEN in cards:
            problems += _first(_unseen_problems(hand))
        if game.declares:
            problems += _declaration_problems(hand, misread)
    if hand.tiebreaks:
        problems += _first(_round_problems(hand, misread))
    return problems


def _first(problems: Iterable[Problem]) -> list[Problem]:
    """Return the first problems, up to the limit. Even a short record can have a great many."""
    return list(islice(problems, MOST_PROBLEMS))


def needs_showdown(hand: Hand) -> bool:
    """Return whether hands are compared: several are left, or the last player must show."""
    if not hand.game.compares_hands:
        return hand.game.bank
    left = len(hand.live)
    return left > 1 or (hand.game.must_show and left == 1)


# --- killing cards --------------------------------------------------------------------------------


def _kill(hand: Hand) -> None:
    """Mark the hands that a card kills. In the pots, they count as folded from the start.

    If a player was dealt a face-up card that ends the deal, all hands are killed. The first such
    player in turn counts.
    """
    game, players = hand.game, hand.players
    if game.enders:
        all_in = tuple(seat for seat, player in enumerate(players) if player.live)
        hand.ended = next(
            (
                EndedDeal(seat, card, all_in if rule.ends == "all in" else ())
                for seat in sorted(range(len(players)), key=hand.from_dealers_left)
                for rule in game.kill
                if isinstance(rule, CardSet) and rule.ends
                for card in players[seat].up
                if card in rule.cards
            ),
            None,
        )
    board = board_by_slot(hand)
    for player in players:
        player.killed = hand.ended is not None or any(
            killers(player, rule, board) for rule in game.kill
        )


def killers(player: Player, rule: CardSet | RankOf, board: Mapping[str, int]) -> list[int]:
    """Return the player's cards that kill the hand under a rule.

    `board` is the board by slot. Cards in piles count as down.
    """
    down = [*player.held_down, *(card for pile in player.piles.values() for card in pile)]
    zones = {"down": down, "up": player.up, "": [*down, *player.up]}
    if isinstance(rule, RankOf):
        cards = [board[slot] for slot in rule.place.slots if slot in board]
        ranks = {card // 4 for card in cards if card < NATURAL_CARDS}
        return [card for card in zones[rule.zone] if card // 4 in ranks]
    return [card for card in zones[rule.zone] if card in rule.cards]


def board_by_slot(hand: Hand) -> dict[str, int]:
    """Return the dealt cards of the board, keyed by slot."""
    return {
        slot: card
        for slots, cards in zip(hand.game.board, hand.board, strict=False)
        for slot, card in zip(slots, cards, strict=False)
    }


# --- cards in play --------------------------------------------------------------------------------


def _card_problems(hand: Hand, shared: Sequence[int]) -> Iterator[Problem]:
    """Report cards that are not in the deck, and cards that are in play twice."""
    places: list[tuple[str, str, int]] = []  # the path, the owner and the card
    for seat, player in enumerate(hand.players):
        zones = {"down": player.down, "up": player.up}
        zones |= {f"piles/{path_part(pile)}": cards for pile, cards in player.piles.items()}
        for zone, cards in zones.items():
            where, owner = f"players/{seat}/{zone}", f"in {player.name}'s hand"
            places += [(f"{where}/{at}", owner, card) for at, card in enumerate(cards)]
    for number, row in enumerate(hand.board):
        places += [(f"board/{number}/{at}", "on the board", card) for at, card in enumerate(row)]
    places += [(f"shared/{at}/card", "shared", card) for at, card in enumerate(shared)]
    seen: dict[int, str] = {}
    for where, owner, card in places:
        if card == UNSEEN:
            continue
        if card not in hand.game.deck:
            yield Problem(where, "card-not-in-deck", f"the deck has no {sign(TEXTS[card])}")
        elif card in seen:
            yield Problem(where, "card-twice", f"{sign(TEXTS[card])} is already {seen[card]}")
        else:
            seen[card] = owner


def _unseen_problems(hand: Hand) -> Iterator[Problem]:
    """Report unseen cards that can matter at the showdown."""
    counting = counting_zones(hand.game)
    for seat, player in enumerate(hand.players):
        if player.live and not (hand.game.bank and seat == hand.button):
            for zone, cards in (("down", player.down), ("up", player.up)):
                if zone in counting:
                    yield from _unseen(f"players/{seat}/{zone}", cards)
    if "board" in counting:
        for index, row in enumerate(hand.board):
            if index not in hand.game.for_taking:
                yield from _unseen(f"board/{index}", row)


def _unseen(where: str, cards: Sequence[int]) -> Iterator[Problem]:
    for at, card in enumerate(cards):
        if card == UNSEEN:
            yield Problem(f"{where}/{at}", "unknown-card", "this card counts and must be known")


ZONES_OF = {
    "down": {"down"},
    "up": {"up"},
    "own": {"down", "up"},
    "pile": {"down"},
}


@lru_cache(maxsize=1024)
def counting_zones(game: Game) -> frozenset[str]:
    """Return the zones whose cards can matter at the showdown."""
    places: list[Place] = []
    patterns = [*game.hand] if not game.bank else []
    for share in game.shares:
        patterns += [p for alt in share.alternatives for p in (*alt.patterns, *alt.beating)]
    places += [place for pattern in patterns for term in pattern.terms for place in term.places]
    places += [rule.place for rule in (*game.wild, *game.bug) if isinstance(rule, RankOf | CardOf)]
    zones = {"board"} if game.bank or game.turned is not None else set()
    zones |= {"up"} if game.bank else set()
    return frozenset(zones.union(*(ZONES_OF.get(place.zone, {"board"}) for place in places)))


# --- number of cards ------------------------------------------------------------------------------


def _count_problems(hand: Hand, misread: set[str], *, compared: bool) -> Iterator[Problem]:
    """Check the number of cards of each player in each zone, and the number on the board."""
    game = hand.game
    least_down, most_down, least_up, most_up = game.card_bounds
    turns, lays = game.turned is not None or bool(game.extra_cards), bool(game.piles)
    for seat, player in enumerate(hand.players):
        if game.bank and seat == hand.button:
            if player.down or player.up:
                where = f"players/{seat}/{'down' if player.down else 'up'}"
                yield Problem(where, "card-count", "the dealer is the bank and must have no hand")
            continue
        whole = compared and player.live
        down, up = len(player.down) + len(player.shared), len(player.up)
        enough = not whole or (least_down <= down and least_up <= up)
        if not enough or down > most_down or up > most_up:
            for zone, count in (("down", down), ("up", up)):
                if f"players/{seat}/{zone}" not in misread:
                    yield from _zone_problems(game, seat, zone, count, whole=whole)
        if whole and turns:
            yield from _turned_problems(game, seat, player)
        if whole and (lays or player.piles):
            yield from _pile_problems(game, seat, player)
    if "board" not in misread:
        yield from _board_problems(hand, misread, whole=compared)


def _zone_problems(
    game: Game, seat: int, zone: str, count: int, *, whole: bool
) -> Iterator[Problem]:
    allowed = game.down if zone == "down" else game.up
    least, most = allowed.least if whole else 0, allowed.most
    if not whole and game.turned is None:
        # killed hands were not turned any further, and folded hands may have been thrown away early
        most = max(most, sum(step.most for step in game.steps if step.verb == "deal"))
    if not least <= count <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        text = f"the hand has {counted(count, 'card')} {zone}, but the game requires {wanted}"
        if not count:
            missing = "hole card" if zone == "down" else "face-up card"
            text = f"enter the {missing}" if most == 1 else f"enter the {wanted} {missing}s"
        yield Problem(f"players/{seat}/{zone}", "card-count", text)


def _turned_problems(game: Game, seat: int, player: Player) -> Iterator[Problem]:
    """Check that every card dealt is down or up. Some cards turned up earn another card."""
    earning = [sign(TEXTS[card]) for card in player.up if card in game.extra_cards]
    extra = len(earning)
    held = len(player.held_down) + len(player.up)
    if game.turned is not None:
        dealt = Range(game.turned, game.turned)
    else:
        earned = 2 * len(game.extra_cards)  # both zones count the earned cards
        dealt = Range(game.down.least + game.up.least, game.down.most + game.up.most - earned)
    if not dealt.holds(held - extra):
        missing = dealt.least + extra - held
        more = f", plus {extra} for {' and '.join(earning)}" if extra else ""
        if missing > 0:
            text = f"{counted(missing, 'card')} {'is' if missing == 1 else 'are'} missing"
            text += f": the game deals {dealt.least}{more}" if more else ""
        else:
            text = f"the hand has {counted(held, 'card')}, but the game deals {dealt.most}{more}"
        unseen = "; use ?? for unseen cards" if game.turned is not None else ""
        yield Problem(f"players/{seat}/down", "card-count", text + unseen)


def _pile_problems(game: Game, seat: int, player: Player) -> Iterator[Problem]:
    if not player.piles:
        laid = " and ".join(f"{count} in {pile}" for pile, count in game.pile_cards.items())
        yield Problem(f"players/{seat}/piles", "card-count", f"the game requires piles: {laid}")
        return
    for pile in sorted({*game.piles, *player.piles}):
        held, wanted = len(player.piles.get(pile, ())), game.pile_cards.get(pile, 0)
        if held != wanted:
            text = (
                f"the pile {quoted(pile)} has {counted(held, 'card')}, "
                f"but the game requires {wanted}"
            )
            yield Problem(f"players/{seat}/piles/{path_part(pile)}", "card-count", text)


def _board_problems(hand: Hand, misread: set[str], *, whole: bool) -> Iterator[Problem]:
    rows = hand.game.board
    lengths = [len(row) for row in hand.board]
    if lengths == hand.game.row_lengths:
        return
    may_lack = hand.game.for_taking.issuperset(range(len(lengths), len(rows)))
    if len(lengths) > len(rows) or (whole and not may_lack):
        number = len(lengths)
        has = "one row" if number == 1 else f"{dict(enumerate(COUNTS)).get(number, number)} rows"
        wanted = (
            f"{COUNTS[len(rows)]} row{'s' if len(rows) > 1 else ''} "
            f"of {' and '.join(str(len(row)) for row in rows)} cards"
        )
        text = f"the board has {has}, but the game requires {wanted if rows else 'no board'}"
        if not number:
            text = f"enter the board: {wanted.removeprefix('one row of ')}"
        yield Problem("board", "card-count", text)
        return
    for index, length in enumerate(lengths):
        all_there = whole and index not in hand.game.for_taking
        wrong = length != len(rows[index]) if all_there else length > len(rows[index])
        if wrong and f"board/{index}" not in misread:
            text = (
                f"row {index + 1} has {counted(length, 'card')}, but "
                f"the game requires {len(rows[index])}"
            )
            yield Problem(f"board/{index}", "card-count", text)


# --- bets against the pot -----------------------------------------------------------------------


def _turn_problems(hand: Hand, misread: set[str]) -> Iterator[Problem]:
    """Report missing cards and missing calls of bets against the pot."""
    for seat in hand.live:
        player, where = hand.players[seat], f"players/{seat}"
        if hand.game.calls and player.declared not in (None, *CALLS):
            text = f"{player.name} must call {' or '.join(CALLS)}"
            yield Problem(f"{where}/declared", "bad-declaration", text)
        if f"{where}/up" in misread or f"{where}/down" in misread:
            continue
        if hand.game.against_pot == "between":
            yield from _between_problems(hand, player, where)
        elif takes_turn(hand, seat):
            yield from _unseen(f"{where}/up", player.up)
            if UNSEEN in player.up or winning_cards(player):
                continue  # a winner shows one card, a loser all of them
            yield from _unseen(f"{where}/down", player.held_down)
            if len(player.held_down) < hand.game.down.least:
                least = hand.game.down.least
                text = f"no card of the hand beats the card up, so all {least} cards are required"
                yield Problem(f"{where}/down", "card-count", text)


def _between_problems(hand: Hand, player: Player, where: str) -> Iterator[Problem]:
    bets = player.paid > player.dead
    if len(player.up) == 1 or (len(player.up) == POSTS and bets):
        text = (
            f"the hand has {counted(len(player.up), 'card')} up, "
            "but needs two posts and the card that decides"
        )
        yield Problem(f"{where}/up", "card-count", text)
    if len(player.up) <= POSTS:
        return
    yield from _unseen(f"{where}/up", player.up)
    must_call = "pair" in hand.game.calls and bets and UNSEEN not in player.up
    if must_call and player.declared is None and is_pair(hand.game, player):
        text = f"{player.name} must call high or low after a pair"
        yield Problem(f"{where}/declared", "not-declared", text)


# --- declarations, results, tie-breaks, matches -------------------------------------------------


@lru_cache(maxsize=1024)
def declarations(game: Game) -> tuple[str, ...]:
    """Return the words that players can declare."""
    if game.calls:
        return CALLS
    return (*game.share_names, BOTH) if game.declares else ()


def _declaration_problems(hand: Hand, misread: set[str]) -> Iterator[Problem]:
    allowed = declarations(hand.game)
    for seat, player in enumerate(hand.players):
        where = f"players/{seat}/declared"
        if not player.live or where in misread:
            continue
        if player.declared is None:
            yield Problem(where, "not-declared", f"{player.name} did not declare")
        elif player.declared not in allowed:
            text = f"{player.name} can declare {', '.join(allowed)}"
            yield Problem(where, "bad-declaration", text)


def _result_problems(hand: Hand) -> Iterator[Problem]:
    if hand.took is None:
        yield Problem("took", "took-missing", "a result requires the chips that each player took")
        return
    chips_in = sum(p.paid for p in hand.players) + sum(c.amount for c in hand.carried)
    chips_out = sum(hand.took.values())
    if chips_in != chips_out:
        text = f"{counted(chips_in, 'chip')} went in, but {chips_out:,} came out"
        yield Problem("took", "took-does-not-add-up", text)


def _round_problems(hand: Hand, misread: set[str]) -> Iterator[Problem]:
    """Check the hands of each tie-break round. A card can occur once in a round."""
    wanted = hand.game.tiebreak_cards or 5
    for index, dealt_hands in enumerate(hand.tiebreaks):
        counts = Counter(card for cards in dealt_hands.values() for card in cards)
        for name, cards in dealt_hands.items():
            where = f"tiebreaks/{index}/{path_part(name)}"
            if len(cards) != wanted and where not in misread:
                text = f"the hand has {counted(len(cards), 'card')}, but a tie-break deals {wanted}"
                yield Problem(where, "card-count", text)
            for at, card in enumerate(cards):
                place = f"{where}/{at}"
                if card == UNSEEN:
                    yield Problem(place, "unknown-card", "this card counts and must be known")
                elif card not in hand.game.deck:
                    yield Problem(place, "card-not-in-deck", f"the deck has no {sign(TEXTS[card])}")
                elif counts[card] > 1:
                    # made negative, because only repeated cards are errors
                    counts[card] = -counts[card]
                elif counts[card] < 0:
                    text = f"{sign(TEXTS[card])} is already in the round"
                    yield Problem(place, "card-twice", text)


def _match_problems(hand: Hand, match: MatchState) -> Iterator[Problem]:
    """Check the state of the match before the deal against the rules of the game."""
    rules = hand.game.match
    if rules is None:
        text = "under these options the game ends with its deal"
        yield Problem("match", BAD_MATCH, text)
        return
    for key, counts, played_for in (
        ("legs", match.legs, rules.legs),
        ("lives", match.lives, rules.lives),
    ):
        if counts and not played_for:
            yield Problem(f"match/{key}", BAD_MATCH, f"this match is not played for {key}")
            continue
        # a player can't have all legs yet, because the last leg ends the match
        most = played_for - (key == "legs")
        for seat, count in counts.items():
            name = hand.players[seat].name
            where = f"match/{key}/{path_part(name)}"
            if count > most:
                yield Problem(
                    where,
                    BAD_MATCH,
                    f"the {key} of {name} must be at most {most}, not {count}",
                )
            elif key == "lives" and not count and seat in hand.live:
                yield Problem(
                    where, BAD_MATCH, f"{name} has no lives left and can't be in the hand"
                )
