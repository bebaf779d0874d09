"""A Python client, generated with openapi-python-client as in docs/api.md."""

import re
import sys
from pathlib import Path
from types import SimpleNamespace
from uuid import uuid4

import pytest

from api.openapi.reference import document
from api.openapi.schema import operations
from tests.clients.conftest import Service
from tests.helpers.api.generated_clients import block, run
from tests.helpers.league.leagues import holdem

PACKAGE = "dealers_choice_client"


@pytest.fixture
def package(service: Service, tmp_path: Path) -> Path:
    """Return the folder of the package generated from a running service's schema."""
    (tmp_path / "client.yaml").write_text(block("yaml", "content_type_overrides"))
    run(block("sh", "openapi-python-client generate"), tmp_path, service.url)
    return tmp_path / "dealers-choice-client" / PACKAGE


def test_client_records_a_hand_and_follows_a_night(
    service: Service, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(package.parent))
    names: dict[str, object] = {}
    exec(block("python", f"from {PACKAGE}"), names)  # noqa: S102 (our own page)
    page = SimpleNamespace(**names)
    night = service.world.night.pk
    with page.AuthenticatedClient(service.url, service.token) as client:
        before, tag = page.follow(client, night)
        assert page.follow(client, night, tag)[0] is None
        hand_id = uuid4()
        hand = page.record(client, night, hand_id, holdem())
        assert (hand.id, hand.answer.won.to_dict()) == (hand_id, {"ann": 20, "bob": 0})
        assert page.record(client, night, hand_id, holdem()).number == hand.number
        after, new = page.follow(client, night, tag)
        assert new != tag
        assert [hand.id for hand in after] == [*(hand.id for hand in before), hand_id]
        wrong = holdem(players=[{"name": "ann", "paid": -1}])
        with pytest.raises(ValueError, match="/api/problems/bad-content"):
            page.record(client, night, uuid4(), wrong)
    for name in [module for module in sys.modules if module.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


def test_client_has_a_clearly_named_function_for_every_operation(package: Path) -> None:
    made = {path.stem for path in package.glob("api/*/*.py")} - {"__init__"}
    assert made == {operation["operationId"] for _, _, operation in operations(document())}
    models = {path.stem for path in package.glob("models/*.py")} - {"__init__"}
    assert len(models) > 250
    riddles = r"_type_\d|\d|_item$|_enum$|_response|_body$|^patched_|^paginated_"
    assert [each for each in sorted(models) if re.search(riddles, each)] == []
    values = "".join(path.read_text() for path in package.glob("models/*.py"))
    assert re.findall(r"^    VALUE_.*", values, re.MULTILINE) == []
