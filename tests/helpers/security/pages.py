"""The URLs of all pages, with ids of existing rows."""

from typing import Any
from uuid import uuid4

from django.urls import URLPattern, reverse

from league.nights.share_links import share_screen
from league.pages.urls import urlpatterns
from tests.helpers.api.sample_league import World


def filled(world: World, route: URLPattern) -> str:
    values: dict[str, Any] = world.ids() | {
        "device_id": world.more["device_id"],
        "planned_id": world.plan.payments.get().pk,
        "token_id": uuid4(),
        "link_id": uuid4(),
        "job_id": uuid4(),
        "done_id": world.more["buy_in_id"],
        "digest": "x",
        "look": "light",
        "named": "texas-holdem",
        "place": 0,
        "action": "ping",
        "number": 1,
    }
    if route.name in {"let-in", "turn-away"}:
        values["request_id"] = world.more["knocking"]
    if route.name in {"shared-screen", "screen-pulse"}:
        values["token"] = share_screen(world.night, by=None)
    if route.name in {"payments", "receipt", "reopen"}:
        values["night_id"] = world.closed.pk
    return reverse(
        str(route.name), kwargs={key: values.get(key, "1") for key in route.pattern.converters}
    )


def pages() -> list[URLPattern]:
    return [each for each in urlpatterns if isinstance(each, URLPattern)]
