"""Antes and blinds of a record, in the format's words."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.errors import Problem
from rules.history import Table
from rules.history.actions import Action, read_action
from rules.history.betting_round import by_position

Record = Mapping[str, Any]
SMALL, BIG, BOTH, ANTE, STRADDLE = (
    *("small blind", "big blind", "small & big blinds", "the ante", "straddle"),
)
POSTING = frozenset(("ante", "blind", "straddle", "post", "dead"))
NO_WORD = frozenset(("penalty", "mid", "pb", "buy", "sd", "pick", "declare", "put", "take"))


@dataclass(frozen=True, slots=True)
class Post:
    """A line of chips put in before the cards: what was there, and what it ought to be."""

    seat: int
    kind: str
    amount: int
    nominal: int
    all_in: bool = False


def posts_of(record: Record, table: Table) -> tuple[list[Post], list[Problem]]:
    """All that is put in before the cards, in order, and what the format has no line for."""
    told = [*_by_stakes(record, table), *_by_actions(record)]
    told.sort(key=lambda each: each[1] != "ante")  # antes are put in first, as rooms have it
    problems: list[Problem] = []
    posts: list[Post] = []
    for seat, verb, amount in told:
        post = _post(posts, seat, verb, amount)
        if post is None:
            where = "only who posts a blind too puts in a dead one"
            problems.append(Problem("actions", "no-such-word", where))
        elif post.kind == BOTH:
            posts = [each for each in posts if (each.seat, each.kind) != (seat, "dead")]
            posts.append(post)
        else:
            posts.append(post)
    if any(post.kind == "dead" for post in posts):
        problems.append(Problem("actions", "no-such-word", "the format has no dead chips alone"))
    if not any(post.kind == BIG for post in posts):
        problems.append(Problem("stakes/blinds", "missing", "a tracker needs a big blind"))
    return _as_paid(record, posts), problems


def _post(posts: list[Post], seat: int, verb: str, amount: int) -> Post | None:
    """The line of one action; dead chips wait for the blind that the same player posts."""
    kinds = {post.kind for post in posts}
    if verb == "dead":
        return Post(seat, "dead", amount, amount)
    if verb == "post":
        dead = sum(each.amount for each in posts if (each.seat, each.kind) == (seat, "dead"))
        return Post(seat, BOTH if dead else BIG, amount + dead, amount + dead)
    if verb == "blind":
        return Post(seat, SMALL if SMALL not in kinds else BIG, amount, amount)
    return Post(seat, {"ante": ANTE, "straddle": STRADDLE, "big": BIG}[verb], amount, amount)


def _by_stakes(record: Record, table: Table) -> Iterator[tuple[int, str, int]]:
    """What the stakes put in by themselves."""
    stakes = table.stakes
    if not table.own_antes:
        antes = by_position(table.order, stakes.antes) if stakes.antes else {}
        for seat in table.order:
            if amount := antes.get(seat, 0) if stakes.antes else stakes.ante:
                yield seat, "ante", amount
    blinds = [amount for amount in stakes.blinds if amount]
    if table.own_blinds or not blinds:
        return
    places = by_position(table.order, tuple(range(len(stakes.blinds))))
    for seat, place in sorted(places.items(), key=lambda each: each[1]):
        amount = stakes.blinds[place]
        if amount:
            verb = "post" if amount < 0 else "straddle" if place > 1 else "blind"
            yield seat, "big" if verb == "blind" and place == 1 else verb, abs(amount)


def _by_actions(record: Record) -> Iterator[tuple[int, str, int]]:
    for text in record["actions"]:
        action = read_action(text)
        if isinstance(action, Action) and action.verb in POSTING:
            amount = action.amount
            if amount is None and action.verb == "ante":
                ante = record.get("stakes", {}).get("ante", 0)
                amount = ante if type(ante) is int else 0
            yield action.seat, action.verb, amount or 0


def _as_paid(record: Record, posts: list[Post]) -> list[Post]:
    """Each post as far as the stack goes."""
    stacks = record.get("stacks") or []
    left = {at: stack for at, stack in enumerate(stacks) if stack is not None}
    found = []
    for post in posts:
        there = left.get(post.seat, post.amount)
        paid = min(post.amount, there)
        left[post.seat] = there - paid
        if paid:
            found.append(replace(post, amount=paid, all_in=there == paid))
    return found
