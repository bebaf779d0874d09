"""docs/api.md says what is so."""

import re
from pathlib import Path

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import get_resolver

from tests.api.doors import send

PAGE = (Path(__file__).parent.parent.parent / "docs" / "api.md").read_text()


def test_the_example_of_settling_settles() -> None:
    cache.clear()
    found = re.search(r"curl .*?-d '(.*?)'\n```", PAGE, re.DOTALL)
    assert found
    assert send(Client(), "/api/v1/settle", found[1]).json()["won"] == {"ann": 20, "bob": 0}


@pytest.mark.parametrize("name", ["nights", "night", "night-hands", "hand", "games", "game"])
def test_every_address_stands_in_the_documentation(name: str) -> None:
    [(route, _)] = get_resolver("api.urls").reverse_dict.getlist(name)[0][0]
    assert f"GET {re.sub(r'%.([a-z_]+).s', '{id}', route)}`" in PAGE.replace("{slug}", "{id}")
