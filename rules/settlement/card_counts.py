"""Whether everybody has as many cards as the game leaves, in each zone, and the board as well."""

from collections.abc import Iterator

from rules.error_text import path_part, quoted
from rules.errors import Problem
from rules.game.game import Game, Range
from rules.game.hand import Hand, Player

COUNTS = "no one two three four five six seven eight nine ten eleven twelve".split()


def count_problems(hand: Hand, misread: set[str], *, compared: bool) -> Iterator[Problem]:
    game = hand.game
    turns, lays = game.turned is not None or bool(game.extra_cards), bool(game.piles)
    for seat, player in enumerate(hand.players):
        if game.bank and seat == hand.button:
            yield from _bank_problems(seat, player)
            continue
        whole = compared and player.live
        down, up = len(player.down) + len(player.shared), len(player.up)
        if not (_holds(game, down, up) if whole else _fits(game, down, up)):
            yield from _player_problems(game, seat, player, misread, whole=whole)
        if whole and turns:
            yield from _turned_problems(game, seat, player)
        if whole and (lays or player.piles):
            yield from _pile_problems(game, seat, player)
    if "board" not in misread:
        yield from _board_problems(hand, misread, whole=compared)


def _holds(game: Game, down: int, up: int) -> bool:
    """Whether a hand that is compared has as many cards as the game leaves."""
    downs, ups = game.down, game.up
    return downs.least <= down <= downs.most and ups.least <= up <= ups.most


def _fits(game: Game, down: int, up: int) -> bool:
    """Whether a hand that is not compared has no more cards than one that is."""
    return down <= game.down.most and up <= game.up.most


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
            text = f"{counted(held)} in {quoted(pile)}, the game has {wanted}"
            yield Problem(f"players/{seat}/piles/{path_part(pile)}", "card-count", text)


def _board_problems(hand: Hand, misread: set[str], *, whole: bool) -> Iterator[Problem]:
    rows = hand.game.board
    lengths = [len(row) for row in hand.board]
    if lengths == [len(row) for row in rows]:
        return
    may_lack = hand.game.for_taking.issuperset(range(len(lengths), len(rows)))
    if len(lengths) > len(rows) or (whole and not may_lack):
        has = f"the board has {_rows(len(lengths))}"
        wanted = f"{COUNTS[len(rows)]}, of {' and '.join(str(len(row)) for row in rows)} cards"
        text = f"{has}, the game has {wanted if rows else 'no board'}"
        yield Problem("board", "card-count", text)
        return
    for index, length in enumerate(lengths):
        all_there = whole and index not in hand.game.for_taking
        wrong = length != len(rows[index]) if all_there else length > len(rows[index])
        if wrong and f"board/{index}" not in misread:
            text = f"{counted(length)} in row {index + 1}, the game has {len(rows[index])}"
            yield Problem(f"board/{index}", "card-count", text)


def _rows(number: int) -> str:
    return (
        "one row" if number == 1 else f"{COUNTS[number] if number < len(COUNTS) else number} rows"
    )
