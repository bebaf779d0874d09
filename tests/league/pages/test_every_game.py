"""Every game has a form and rules to copy, and every worked example can be recorded.

Every run tests some of the games, and `make test-long` tests all.
"""

import json
import re
from pathlib import Path
from uuid import uuid4

import pytest

from league.models import Night, Role
from league.pages.record.fill_form import spell
from league.pages.record.read_form import read
from rules.documents import catalog
from tests.helpers.api.clients import member
from tests.helpers.league.forms import form_of
from tests.helpers.league.leagues import a_league
from tests.helpers.league.pages import html
from tests.helpers.stages import sample

pytestmark = pytest.mark.django_db

VECTORS = Path(__file__).parents[2] / "vectors"


@pytest.mark.parametrize("slug", sample(catalog.slugs(), 20))
def test_every_game_has_a_form(night: Night, slug: str) -> None:
    client = member(night.league, Role.SCOREKEEPER)
    page = client.get(f"/nights/{night.pk}/record", {"game": slug})
    assert page.status_code == 200
    form = form_of(page)
    assert form.fields["variant"] == [slug]
    assert any(re.search("/(down|up)$|^board/|/piles/", name) for name in form.fields)


@pytest.mark.parametrize(
    "path",
    sample(sorted(VECTORS.rglob("*.jsonl")), 20, lambda path: path.stem),
    ids=lambda path: path.stem,
)
def test_any_record_survives_a_round_trip_through_the_page(night: Night, path: Path) -> None:
    client = member(night.league, Role.SCOREKEEPER)
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        record = json.loads(line).get("record")
        if isinstance(record, dict):
            typed = {"key": [str(uuid4())]} | spell(record)
            page = client.post(f"/nights/{night.pk}/check", typed)
            assert page.status_code == 200, number
            assert read(form_of(page).fields).record == record, number


@pytest.mark.parametrize("slug", sample(catalog.slugs(), 20))
def test_every_catalog_game_can_be_copied_and_dealt(slug: str) -> None:
    league = a_league()
    page = member(league, Role.HOST).get(f"/leagues/{league.pk}/games/write?copy={slug}")
    assert form_of(page, "write").fields["text"] == [catalog.source_text(slug)]
    assert 'class="deal"' in html(page)
