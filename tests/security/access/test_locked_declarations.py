"""Declarations are secret everywhere until all players have declared."""

import gzip
import logging
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core import serializers
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.utils import timezone

from league.deals.declarations import revealed_declarations, sealed
from league.models import Deal, DealtPlayer
from tests.helpers.api.routes import RULES, address, bodies
from tests.helpers.api.sample_league import World
from tests.helpers.league.deals import a_deal, at_stage
from tests.helpers.security.pages import filled, pages

pytestmark = pytest.mark.django_db

# Callers who can view a night. A host has all rights and a player declares. The other callers have
# no further rights, so they are tested at night.
OTHERS = ("scorekeeper", "viewer", "phone", "manage token")
INSIDE = ["host", "player", *(pytest.param(who, marks=pytest.mark.scheduled) for who in OTHERS)]
SECRET = "a word that only bob knows"


@pytest.fixture
def deal(world: World) -> Deal:
    """A deal in which bob has declared with a unique word and ann has not declared yet."""
    deal = at_stage(a_deal(world.night), "declare")
    row = deal.players.get(player__name="bob")
    row.declaration = sealed(row, SECRET)
    row.save()
    return deal


def everything(world: World, deal: Deal, client: Client) -> Iterator[tuple[str, bytes]]:
    """Yield all responses that this visitor can get, by URL. All changes are rolled back."""
    fields = {"deal": str(deal.pk), "player": str(world.ann.pk), "stage": "x", "state": "in"}
    for route in pages():
        at = filled(world, route)
        for method, body in (("get", None), ("post", fields)):
            yield at, _response_body(client, method, at, body)
    values = bodies(world)
    for name, method in RULES:
        if "token" not in name:
            at, body = address(world, name), values.get((name, method))
            yield name, _response_body(client, method, at, body, json=True)


def _response_body(client: Client, method: str, at: str, body: Any, *, json: bool = False) -> bytes:
    signed_in = deepcopy(client.cookies)  # one of the requests signs out the visitor
    kind = {"content_type": "application/json"} if json and method != "get" else {}
    with transaction.atomic():
        answer = getattr(client, method)(at, body, **kind)
        text = b"".join(answer) if answer.streaming else answer.content
        heads = str(dict(answer.headers)).encode()
        transaction.set_rollback(True)
    client.cookies = signed_in
    return bytes(heads + text)


@pytest.mark.parametrize("who", INSIDE)
def test_no_url_reveals_a_locked_declaration(
    who: str, world: World, deal: Deal, doors: dict[str, Client], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    requests = 0
    for at, answer in everything(world, deal, doors[who]):
        requests += 1
        assert SECRET.encode() not in answer, at
    assert requests > 300
    assert SECRET not in caplog.text


def test_no_table_or_backup_contains_a_locked_declaration(
    world: World, deal: Deal, tmp_path: Path
) -> None:
    rows = [row for model in apps.get_models() for row in model._default_manager.all()]
    assert SECRET not in serializers.serialize("json", rows)
    call_command("backup", str(tmp_path / "backup"))
    written = (tmp_path / "backup").read_bytes()
    plain = gzip.decompress(written) if written[:2] == b"\x1f\x8b" else written
    assert b"league_dealtplayer" in plain.lower() or b"dealtplayer" in plain.lower()
    assert SECRET.encode() not in plain


def test_declarations_are_shown_after_all_players_have_declared(
    world: World, deal: Deal, doors: dict[str, Client]
) -> None:
    """Shows that the other tests would find the word, because it is found once it is public."""
    assert revealed_declarations(deal) == {}
    DealtPlayer.objects.filter(player=world.ann).update(state="folded")
    Deal.objects.update(revealed_at=timezone.now(), stage=deal.stage + 1)
    answer = doors["viewer"].get(f"/nights/{world.night.pk}")
    page = answer.content.decode()
    assert answer.status_code == 200, answer.headers
    assert SECRET in page.lower()
