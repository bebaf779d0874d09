"""Compute luck by re-dealing recorded hands with different boards."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from time import monotonic
from typing import Any
from uuid import UUID

from league.games.lookup import replayable
from league.hands.revisions import end_of
from league.models import HandFact, Luck
from league.stats.count import counting
from league.stats.night_sums import sum_nights
from ledger.sql import uuid_text
from rules import settle_many
from rules.api import all_in, game_of
from rules.cards import CARDS, UNSEEN, UNSEEN_TEXT, format_cards

DEALS = 200
MOST_HANDS = 50  # hands per run, which takes some seconds
# A hand usually takes a few milliseconds, but one with millions of boards takes a second or two.
# After this many seconds, the remaining hands wait for the next run.
TURN = 5.0
MOST_POT = 1_000_000  # squares of larger pots would overflow a column's sum

Record = Mapping[str, Any]
Answer = Mapping[str, Any]


def find_luck(
    league_id: UUID, *, most: int = MOST_HANDS, deals: int = DEALS, seconds: float = TURN
) -> int:
    """Compute the luck of some waiting hands. Return how many were stored.

    Each call computes at least one hand, even after the time limit. A slow hand would otherwise
    never be stored, and block the others.
    """
    until = monotonic() + seconds
    waiting = HandFact.objects.filter(league=league_id, luck=HandFact.Luck.WAITS)
    results: list[tuple[HandFact, Luck]] = []
    for fact in waiting.order_by("pk").select_related("revision__document")[:most]:
        revision = fact.revision
        record = replayable(revision)
        expected = expectations(end_of(record), revision.answer, deals=deals, seed=str(revision.pk))
        if expected and "actions" in revision.record:
            ended = all_in(record)
            if ended is not None and ended.expected is not None:
                expected = {
                    name: [*numbers, ended.expected[name], 1] for name, numbers in expected.items()
                }
            elif ended is not None:  # the actual result, because there are too many outcomes
                expected = {
                    name: [*numbers, 1000 * numbers[0], 0] for name, numbers in expected.items()
                }
        shares = {uuid_text(revision.names[name]): numbers for name, numbers in expected.items()}
        luck = Luck(revision=revision, deals=deals if expected else 0, shares=shares)
        results.append((fact, luck))
        if monotonic() > until:
            break
    if not results:
        return 0
    with counting(league_id):  # store the luck of hands that have not changed since
        keys = [fact.pk for fact, _ in results]
        waiting = HandFact.objects.filter(pk__in=keys, luck=HandFact.Luck.WAITS)
        unchanged = dict(waiting.values_list("pk", "night"))
        Luck.objects.bulk_create(
            (luck for fact, luck in results if fact.pk in unchanged), ignore_conflicts=True
        )
        waiting.update(luck=HandFact.Luck.FOUND)
        if unchanged:
            sum_nights([uuid_text(night) for night in set(unchanged.values())])
    return len(unchanged)


def leagues_waiting() -> list[UUID]:
    """Return the leagues with hands whose luck is not computed yet, without demo leagues."""
    rows = HandFact.objects.filter(luck=HandFact.Luck.WAITS, league__book__disposable=False)
    return list(rows.order_by().values_list("league", flat=True).distinct())


def expectations(
    record: Record, answer: Answer, *, deals: int = DEALS, seed: str = ""
) -> dict[str, list[int]]:
    """Return [won, expected, variance], keyed by name, for players who showed their hands.

    The last two are in thousandths. The result is empty if the board can't be redealt. The variance
    is the variance of the luck: the variance of a single deal plus the variance of the mean over
    `deals`.
    """
    if not 0 < sum(answer["won"].values()) <= MOST_POT:
        return {}
    chance = Random(seed)  # noqa: S311 (not used for security)
    answers = settle_many(_with_other_boards(record, deals, chance), brief=True)
    if not answers or any("errors" in each for each in answers):
        return {}
    shares = {}
    count = len(answers)
    for name in answer["hands"]:
        won = [each["won"][name] for each in answers]
        whole = sum(won)
        spread = count * sum(chips * chips for chips in won) - whole * whole
        variance = 1000 * spread * (count + 1) // count**3
        shares[name] = [answer["won"][name], round(1000 * whole / count), variance]
    return shares


def _with_other_boards(record: Record, deals: int, chance: Random) -> list[dict[str, Any]]:
    """Return the record with different boards, dealt from cards not known to be held.

    If the deal was run several times, the cards of each run are dealt again, too.
    """
    game = game_of(record).game
    if game is None:
        return []
    template = {key: value for key, value in record.items() if key != "took"}
    known: list[Sequence[str]] = []  # the cards that players hold, have held, or share, in any run
    for deal in (record, *record.get("runs", ())):
        known.append([each["card"] for each in deal.get("shared", ())])
        for player in deal.get("players", ()):
            known += [player.get(zone, ()) for zone in ("down", "up", "out")]
            known += list(player.get("piles", {}).values())
    deck = sorted(game.deck - ({CARDS[card] for cards in known for card in cards} - {UNSEEN}))
    size = sum(
        card != UNSEEN_TEXT
        for deal in (record, *record.get("runs", ()))
        for row in deal.get("board", ())
        for card in row
    )
    if size > len(deck):
        return []
    boards = (iter(format_cards(chance.sample(deck, size))) for _ in range(deals))
    return [_redealt(template, cards) for cards in boards]


def _redealt(record: Record, cards: Iterator[str]) -> dict[str, Any]:
    """Return the record, or a run of it, with other cards on its board. Gaps remain."""
    dealt = dict(record)
    if "board" in record:
        dealt["board"] = [
            [card if card == UNSEEN_TEXT else next(cards) for card in row]
            for row in record["board"]
        ]
    if "runs" in record:
        dealt["runs"] = [_redealt(run, cards) for run in record["runs"]]
    return dealt
