"""The plans of a season's file, each held against what it had to even out when it was made.

Which of several ways to pay was planned the file has to say, since ties fell by ids; it has to be
one of those that `ledger.fewest_payments` finds.
"""

from collections import Counter
from collections.abc import Sequence
from uuid import UUID

from league.archive.books import Coin, Playing
from league.archive.reading import Row
from league.models import Line

Pairs = Sequence[tuple[UUID, UUID]]


def plan_closing(playing: Playing, closing: Row, lines: Sequence[Line]) -> None:
    """Take in what a closing leaves open, then what was planned of it and after it."""
    done, night = playing.done, playing.content.row("Night", closing["night"])
    if lines:
        left = done.unplanned.setdefault(_coin(night), Counter())
        last = {line.player_id: line.settles for line in lines}
        _subtract(left, done.settles.get(night.number, {}))
        _subtract(left, {player: -chips for player, chips in last.items()})
        done.settles[night.number] = last
    if plan := playing.plan_of.get(closing.number):
        if _coin(plan) != _coin(night):
            text = "a plan of a closing is in chips of its night"
            playing.errors.add(plan.line, "chip_value", "bad-plan", text)
        _plan(playing, plan)
    plan_season(playing, closing.number)


def plan_season(playing: Playing, after: int | None) -> None:
    """Take in the plans of the season that were made after this closing and before the next.

    The first of them evens out all, so that those that hold nothing come last.
    """
    plans = playing.plans_after.get(after, [])
    for plan in sorted(plans, key=lambda row: row.number not in playing.planned):
        if playing.done.open:
            text = "a night was open then, and no season is settled while one is"
            playing.errors.add(plan.line, "after", "night-open", text)
        _plan(playing, plan)


def _coin(row: Row) -> Coin:
    return row["chip_value"], row["currency"]


def _subtract(left: Counter[UUID], chips: dict[UUID, int]) -> None:
    """Subtract, and keep nobody who has nothing open."""
    for player, number in chips.items():
        left[player] -= number
        if not left[player]:
            del left[player]


def _plan(playing: Playing, plan: Row) -> None:
    done, rows = playing.done, playing.planned.get(plan.number, [])
    left = done.unplanned.pop(_coin(plan), Counter())
    pairs = [(playing.player(row["payer"]), playing.player(row["payee"])) for row in rows]
    evened: Counter[UUID] = Counter()
    for row, (payer, payee) in zip(rows, pairs, strict=True):
        evened[payer] -= row["chips"]
        evened[payee] += row["chips"]
        done.stakes[row.number] = max(-left[payer], 0), max(left[payee], 0)
    done.plans.add(plan.number)
    wrong = {each for each in {*left, *evened} if left[each] != evened[each]}
    if wrong and (waiting := _waiting(plan, rows, left, evened)):
        done.unplanned[_coin(plan)] = waiting
        _subtract(left, dict(waiting))
        wrong = set()
    for row, pair in zip(rows, pairs, strict=True):
        if wrong.intersection(pair):
            text = f"of them {left[pair[0]]} and {left[pair[1]]} chips were open then"
            playing.errors.add(row.line, "chips", "bad-plan", text)
    if wrong - {player for pair in pairs for player in pair}:
        playing.errors.add(plan.line, "", "bad-plan", "it does not even out what was open then")
    elif not wrong and not (_is_through_one(pairs) or _is_of_few(pairs, left)):
        playing.errors.add(plan.line, "", "bad-plan", "there are fewer payments that even it out")
    if sorted(row["position"] for row in rows) != list(range(len(rows))):
        playing.errors.add(plan.line, "", "not-whole", "a payment of this plan is missing")


def _waiting(
    plan: Row, rows: Sequence[Row], left: Counter[UUID], evened: Counter[UUID]
) -> Counter[UUID]:
    """Return what a plan leaves to the next one; nothing where it may not leave so much.

    Payments of few chips wait: whoever they are between has less open than all of them could be.
    """
    below = plan["waits_below"]
    waiting: Counter[UUID] = Counter()
    for each in {*left, *evened}:
        if chips := left[each] - evened[each]:
            waiting[each] = chips
    most = (below - 1) * (len(waiting) - 1)
    few = all(abs(chips) <= most for chips in waiting.values())
    return waiting if few and all(row["chips"] >= below for row in rows) else Counter()


def _is_of_few(pairs: Pairs, left: Counter[UUID]) -> bool:
    """Tell whether losers alone pay winners alone, in fewer payments than they are people."""
    ways = all(left[payer] < 0 < left[payee] for payer, payee in pairs)
    return ways and len(set(pairs)) == len(pairs) <= max(len(left) - 1, 0)


def _is_through_one(pairs: Pairs) -> bool:
    """Tell whether all is paid to or by one person, once by each or to each."""
    for one in pairs[0] if pairs else ():
        others = {
            payee if payer == one else payer for payer, payee in pairs if one in {payer, payee}
        }
        if len(others) == len(pairs):
            return True
    return not pairs
