"""Every API route, with its allowed callers, parameters and request bodies."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.urls import URLPattern, reverse
from django.utils import timezone

from api.feeds import urls as feeds
from api.urls import urlpatterns
from league.models import Tournament
from tests.helpers.api.sample_league import World
from tests.helpers.league.house_games import CROSS
from tests.helpers.league.leagues import holdem, player

LOOKS = {"viewer", "player", "phone", "scorekeeper", "host", "read token", "record token"}
LOOKS |= {"manage token", "token of a viewer"}
RECORDS = {"scorekeeper", "host", "record token", "manage token"}
MANAGES = {"host", "manage token"}
# Phones that joined with a code may record hands unless the league forbids it.
TELLS = RECORDS | {"player", "phone"}
# A phone may request chips for others, but not move them
# (tests/security/access/test_who_is_charged.py).
ASKS = RECORDS | {"phone"}
# A user who is joining is not a player yet.
COMES = {"viewer", "player", "scorekeeper", "host", "outsider"}
# A phone that is signed out or waiting for approval has no access.
NOBODY = {"nobody", "signed-out phone", "waiting phone"}
STRANGERS = {"outsider", "token of another league"}
ANYONE = LOOKS | STRANGERS | NOBODY
SIGNED_IN = LOOKS | STRANGERS
SESSIONS = COMES | {"phone"}
TOKENS = {"read token", "record token", "manage token", "token of a viewer"}
TOKENS |= {"token of another league"}  # gets events from its own league
RULES: dict[tuple[str, str], set[str]] = {
    ("leagues", "get"): SIGNED_IN,
    ("leagues", "post"): SESSIONS,
    ("league", "get"): LOOKS,
    ("league", "patch"): MANAGES,
    ("members", "get"): LOOKS,
    ("member", "patch"): MANAGES,
    ("member", "delete"): MANAGES,
    ("devices", "get"): MANAGES,
    ("activity", "get"): MANAGES,
    ("house-rules", "get"): LOOKS,
    ("sign-out-device", "post"): MANAGES,
    ("new-code", "post"): MANAGES,
    ("invitations", "get"): MANAGES,
    ("invitations", "post"): MANAGES,
    ("end-invitation", "delete"): MANAGES,
    ("invited", "get"): SESSIONS,
    ("invited", "post"): COMES,
    ("join-requests", "get"): MANAGES,
    ("let-in", "post"): MANAGES,
    ("turn-away", "post"): MANAGES,
    ("join", "get"): SESSIONS,
    ("join", "post"): COMES,
    ("players", "get"): LOOKS,
    ("players", "post"): MANAGES,
    ("player", "get"): LOOKS,
    ("release", "post"): MANAGES,
    ("seasons", "get"): LOOKS,
    ("seasons", "post"): MANAGES,
    ("season", "get"): LOOKS,
    ("season", "patch"): MANAGES,
    ("final-table", "get"): LOOKS,
    ("standings", "get"): LOOKS,
    ("achievements", "get"): LOOKS,
    ("season-plans", "get"): LOOKS,
    ("season-plans", "post"): MANAGES,
    ("nights", "get"): SIGNED_IN,
    ("league-nights", "post"): RECORDS,
    ("night", "get"): LOOKS,
    ("night-seats", "post"): RECORDS,
    ("leave-notice", "post"): RECORDS,
    ("night-buy-ins", "get"): LOOKS,
    ("night-buy-ins", "post"): ASKS,
    ("night-cash-outs", "get"): LOOKS,
    ("night-cash-outs", "post"): ASKS,
    ("night-charges", "get"): LOOKS,
    ("night-charges", "post"): RECORDS,
    ("void-charge", "post"): RECORDS,
    ("side-bets", "get"): LOOKS,
    ("night-tournaments", "get"): LOOKS,
    ("night-tournaments", "post"): RECORDS,
    ("tournament", "get"): LOOKS,
    ("tournament", "put"): RECORDS,
    ("tournament", "delete"): RECORDS,
    ("tournament-events", "post"): RECORDS,
    ("tournament-seats", "post"): RECORDS,
    ("tournament-clock", "post"): RECORDS,
    ("tournament-end", "post"): RECORDS,
    ("tournament-end", "delete"): RECORDS,
    ("tournament-deals", "post"): LOOKS,
    ("planned-nights", "get"): LOOKS,
    ("planned-nights", "post"): RECORDS,
    ("planned-night", "get"): LOOKS,
    ("planned-night", "patch"): RECORDS,
    ("planned-night", "delete"): RECORDS,
    ("night-series", "get"): LOOKS,
    ("night-series", "post"): RECORDS,
    ("one-series", "delete"): RECORDS,
    ("night-answers", "post"): RECORDS,
    ("void-buy-in", "post"): RECORDS,
    ("void-cash-out", "post"): RECORDS,
    ("chip-requests", "get"): LOOKS,
    ("chip-request", "get"): LOOKS,
    ("accept-chips", "post"): MANAGES,
    ("decline-chips", "post"): MANAGES,
    ("withdraw-chips", "post"): MANAGES,
    ("night-counts", "get"): LOOKS,
    ("night-counts", "post"): RECORDS,
    ("night-hands", "get"): LOOKS,
    ("night-hands", "post"): TELLS,
    ("night-batch", "post"): TELLS,
    ("night-check", "post"): TELLS,
    ("night-sentence", "post"): TELLS,
    ("night-closing", "get"): LOOKS,
    ("night-closing", "post"): RECORDS,
    ("check-closing", "post"): RECORDS,
    ("night-reopen", "post"): MANAGES,
    ("night-plans", "get"): LOOKS,
    ("night-receipt", "get"): LOOKS,
    ("night-receipt-csv", "get"): LOOKS,
    ("receipt-csv", "get"): ANYONE,
    ("night-receipt-links", "post"): RECORDS,
    ("night-receipt-links", "delete"): RECORDS,
    ("receipt", "get"): ANYONE,
    ("hands", "get"): SIGNED_IN,
    ("hand", "get"): LOOKS,
    ("hand-revisions", "post"): TELLS,
    ("hand-check", "post"): TELLS,
    ("hand-void", "post"): TELLS,
    ("undo-hand", "post"): TELLS,
    ("hand-replay", "get"): LOOKS,
    ("hand-links", "post"): RECORDS,
    ("hand-links", "delete"): RECORDS,
    ("conflicts", "get"): LOOKS,
    ("what-if", "get"): LOOKS,
    ("what-if", "post"): LOOKS,
    ("objections", "get"): LOOKS,
    ("objections", "post"): RECORDS,
    ("answer-objection", "post"): MANAGES,
    ("keep-hand", "post"): MANAGES,
    ("accept-conflict", "post"): MANAGES,
    ("separate-conflict", "post"): MANAGES,
    ("plan", "get"): LOOKS,
    ("plan-payments", "post"): MANAGES,
    ("payment", "get"): LOOKS,
    ("confirm", "post"): MANAGES,
    ("dispute", "post"): MANAGES,
    ("withdraw-payment", "post"): MANAGES,
    ("accounts", "get"): LOOKS,
    ("account", "get"): LOOKS,
    ("transfers", "get"): LOOKS,
    ("league-stream", "get"): LOOKS,
    ("imports", "post"): MANAGES,
    ("season-file", "get"): MANAGES,
    ("read-season", "post"): MANAGES,
    ("house-games", "get"): LOOKS,
    ("house-games", "post"): RECORDS,
    ("house-game-odds", "get"): LOOKS,
    ("house-game", "get"): LOOKS,
    ("house-game", "put"): RECORDS,
    ("house-game", "delete"): RECORDS,
    ("retire-game", "post"): RECORDS,
    ("webhooks", "get"): MANAGES,
    ("webhooks", "post"): MANAGES,
    ("webhook", "get"): MANAGES,
    ("webhook", "patch"): MANAGES,
    ("rotate-webhook", "post"): MANAGES,
    ("enable-webhook", "post"): MANAGES,
    ("retire-webhook", "post"): MANAGES,
    ("ping-webhook", "post"): MANAGES,
    ("deliveries", "get"): MANAGES,
    ("resend-delivery", "post"): MANAGES,
    ("resend-deliveries", "post"): MANAGES,
    ("check-game", "post"): ANYONE,
    ("game-schema", "get"): ANYONE,
    ("games", "get"): ANYONE,
    ("game-odds", "get"): ANYONE,
    ("game", "get"): ANYONE,
    ("settle", "post"): ANYONE,
    ("mcp", "post"): TOKENS,
    ("schema", "get"): ANYONE,
    ("feeds", "get"): ANYONE,
    ("reference", "get"): ANYONE,
}
FED = {str(route.name) for route in feeds.urlpatterns}
RULES |= {(name, "get"): LOOKS for name in FED}
# Requests for a closed night.
OF_CLOSED = {"night-closing", "night-reopen", "night-plans", "night-receipt", "night-receipt-links"}
OF_CLOSED |= {"night-receipt-csv"}
HOOK = "https://hooks.example.org/"


def routes() -> Iterator[URLPattern]:
    for route in urlpatterns:
        assert isinstance(route, URLPattern)
        if route.name != "nothing":
            yield route


def in_days(days: int) -> str:
    return (timezone.now() + timedelta(days=days)).isoformat().replace("+00:00", "Z")


def bodies(world: World) -> dict[tuple[str, str], Any]:
    ann, new = str(world.ann.pk), str(uuid4())
    bob, cat = (str(player(world.closed, name).pk) for name in ("bob", "cat"))
    other = holdem(board=[["2h", "7d", "9s", "Jd", "3c"]])  # a hand that was not recorded yet
    record = {"id": new, "record": holdem()}
    bought = {"id": new, "player": ann, "chips": 5}
    levels = [{"duration_seconds": 900, "small": 25, "big": 50}, {"duration_seconds": 300}]
    tournament = {"entry": 20, "stack": 5_000, "levels": levels}
    changed = {**tournament, "rebuy": 10, "rebuy_stack": 4_000, "bounty": 5, "name": "Friday"}
    everything = [{"player": ann, "chips": 40}, {"player": bob, "chips": 0}]
    stacks = [{"player": ann, "chips": 6_000}, {"player": bob, "chips": 4_000}]
    pizza = [{"player": ann, "credited": 9, "charged": 5}, {"player": cat, "charged": 4}]
    return {
        ("leagues", "post"): {"name": "Friday"},
        ("league", "patch"): {"closing_hour": 5},
        ("member", "patch"): {"role": "scorekeeper"},
        ("join", "post"): {"player": cat},
        ("invited", "post"): {"player": cat},
        ("invitations", "post"): {"name": "eve"},
        ("season", "patch"): {"scoring": "places", "points": [3, 1]},
        ("check-closing", "post"): {"by_hands": True},
        ("players", "post"): {"name": "eve"},
        ("seasons", "post"): {"name": "Summer"},
        ("season-plans", "post"): {"id": new},
        ("league-nights", "post"): {"players": [ann]},
        ("imports", "post"): {"files": [{"name": "hands.jsonl", "text": json.dumps(other)}]},
        ("night-seats", "post"): {"player": cat},
        ("leave-notice", "post"): {"player": ann, "leaving": False},
        ("night-buy-ins", "post"): bought,
        ("night-cash-outs", "post"): bought,
        ("night-counts", "post"): bought,
        ("night-charges", "post"): {
            "id": new,
            "kind": "cost",
            "title": "Pizza",
            "shares": pizza,
        },
        ("night-tournaments", "post"): {"id": new, **tournament},
        ("tournament", "put"): changed,
        ("tournament-events", "post"): {"id": new, "kind": "entry", "player": cat},
        ("tournament-seats", "post"): {"id": new, "method": "draw"},
        ("tournament-clock", "post"): {"running": True},
        ("tournament-end", "post"): {"deal": everything},
        ("tournament-deals", "post"): {"stacks": stacks},
        ("planned-nights", "post"): {"id": new, "starts_at": in_days(7), "seats": 8},
        ("planned-night", "patch"): {"seats": 9, "place": "Bob's"},
        ("night-series", "post"): {"id": new, "starts_on": in_days(7)[:10], "time": "20:00"},
        ("night-answers", "post"): {"player": ann, "rsvp": "yes", "guests": 1},
        ("night-hands", "post"): record,
        ("night-batch", "post"): {"hands": [record]},
        ("night-check", "post"): {"record": holdem()},
        ("night-sentence", "post"): {
            "text": "ann kings and nines, bob mucks, cat and dan fold, pot 45",
            "variant": "texas-holdem",
        },
        ("night-closing", "post"): {"id": new, "by_hands": True},
        ("hand-revisions", "post"): {"id": new, "record": holdem(button=0)},
        ("hand-check", "post"): {"record": holdem()},
        ("what-if", "post"): {"options": {"odd_chip": "high card"}},
        ("objections", "post"): {"id": new, "player": bob, "reason": "Wrong amount"},
        ("answer-objection", "post"): {"kind": "stands", "text": "The cards are right"},
        ("plan-payments", "post"): {"id": new, "position": 0, "chips": 1},
        ("webhooks", "post"): {
            "id": new,
            "url": HOOK,
            "events": ["hand.settled"],
        },
        ("webhook", "patch"): {"note": "statistics"},
        ("resend-deliveries", "post"): {"after": in_days(-1), "before": in_days(1)},
        ("house-games", "post"): {"copy": "nightmare"},
        ("house-game", "put"): {"text": CROSS},
        ("check-game", "post"): {"text": "name = 1"},
        ("settle", "post"): holdem(),
        ("mcp", "post"): {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "find_hands", "arguments": {"player": "ann", "came": "won"}},
        },
    }


def address(world: World, name: str) -> str:
    [route] = [each for each in routes() if each.name == name]
    ids = world.ids()
    if name in OF_CLOSED:
        ids["night_id"] = world.closed.pk
    if name in {"game", "game-odds"}:
        ids["slug"] = "nightmare"
    if name in {"let-in", "turn-away"}:
        ids["request_id"] = world.more["knocking"]
    if name.startswith("tournament"):  # the open night
        Tournament.objects.filter(pk=ids["tournament_id"]).update(called_off_at=None)
    if name == "invited":
        ids["token"] = world.more["invitation"]
    ids["name"] = "nights"  # of a chart
    known = {key: ids[key] for key in route.pattern.converters}
    return reverse(f"api:{name}", kwargs=known)
