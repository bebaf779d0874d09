"""Reads what a deal found of its match, and says what is wrong with it."""

from collections.abc import Iterator, Mapping

from rules.error_text import path_part, quoted
from rules.errors import Problem
from rules.game.hand import MOST_NAME, MOST_PLAYERS, Hand
from rules.game.match import MATCH_KEYS, MOST_COUNTED, Found
from rules.settlement.field_reader import FieldReader

BAD = "bad-match"


def read_match(reader: FieldReader, raw: object, names: Mapping[str, int]) -> Found | None:
    """The `match` of a record: which it is, which deal this is, legs and lives before it."""
    if raw is None:
        return None
    if not isinstance(raw, Mapping):
        reader.problem("match", "wrong-type", "a match is an object")
        return None
    reader.unknown_keys("match", raw, MATCH_KEYS)
    named = raw.get("id")
    if named is not None and not (type(named) is str and 0 < len(named) <= MOST_NAME):
        reader.problem("match/id", "wrong-type", f"a match is named by 1 to {MOST_NAME} letters")
        named = None
    deal = raw.get("deal", 1)
    if not _counts(deal, least=1):
        reader.problem("match/deal", BAD, f"deals are counted from 1 to {MOST_COUNTED:,}")
        deal = 1
    counted = [_counted(reader, raw, key, names) for key in ("legs", "lives")]
    return Found(named, deal, *counted)


def _counts(value: object, *, least: int = 0) -> bool:
    return type(value) is int and least <= value <= MOST_COUNTED


def _counted(
    reader: FieldReader, raw: Mapping[str, object], key: str, names: Mapping[str, int]
) -> dict[int, int]:
    counts = raw.get(key)
    if counts is None:
        return {}
    if not isinstance(counts, Mapping) or len(counts) > MOST_PLAYERS:
        reader.problem(f"match/{key}", "wrong-type", "an object, name to a number, is needed here")
        return {}
    found = {}
    for name, count in counts.items():
        where = f"match/{key}/{path_part(name)}"
        if name not in names:
            reader.problem(where, "unknown-player", f"{quoted(name)} is not at the table")
        elif not _counts(count):
            reader.problem(where, BAD, f"{key} are whole numbers from 0 to {MOST_COUNTED:,}")
        else:
            found[names[name]] = int(str(count))
    return found


def match_problems(hand: Hand, found: Found) -> Iterator[Problem]:
    """What a deal can't have found by the rules of its game."""
    rules = hand.game.match
    if rules is None:
        yield Problem("match", BAD, "under these options the game is over with its deal")
        return
    for key, counts, played_for in (
        ("legs", found.legs, rules.legs),
        ("lives", found.lives, rules.lives),
    ):
        if counts and not played_for:
            yield Problem(f"match/{key}", BAD, f"this match is not played for {key}")
            continue
        most = played_for - (key == "legs")  # with the last leg it was over
        for seat, count in counts.items():
            name = hand.players[seat].name
            where = f"match/{key}/{path_part(name)}"
            if count > most:
                yield Problem(where, BAD, f"{name} had {count} {key}, at most {most} can be")
            elif key == "lives" and not count and seat in hand.live:
                yield Problem(where, BAD, f"{name} has no life left and can't be in the hand")
