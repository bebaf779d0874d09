"""Declarations are secret everywhere until all players have declared."""

import gzip
from pathlib import Path

import pytest
from django.apps import apps
from django.core import serializers
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from league.deals.declarations import revealed_declarations
from league.models import Deal, DealtPlayer
from tests.helpers.api.sample_league import World
from tests.helpers.security.secrets import DECLARED, locked_declaration

pytestmark = pytest.mark.django_db


@pytest.fixture
def deal(world: World) -> Deal:
    return locked_declaration(world)


def test_no_table_or_backup_contains_a_locked_declaration(
    world: World, deal: Deal, tmp_path: Path
) -> None:
    rows = [row for model in apps.get_models() for row in model._default_manager.all()]
    assert DECLARED not in serializers.serialize("json", rows)
    call_command("backup", str(tmp_path / "backup"))
    written = (tmp_path / "backup").read_bytes()
    plain = gzip.decompress(written) if written[:2] == b"\x1f\x8b" else written
    assert b"league_dealtplayer" in plain.lower() or b"dealtplayer" in plain.lower()
    assert DECLARED.encode() not in plain


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
    assert DECLARED in page
