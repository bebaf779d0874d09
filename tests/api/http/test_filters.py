"""The fast filter parser returns the same values as the filter form."""

from typing import Any

import pytest
from django.http import QueryDict

from api.feeds.urls import FEEDS
from api.http.errors import BadQueryError
from api.http.filters import HandFilters, NightFilters, read_filters
from league.models import HandFact

KEY = "0b3c2d1e-5f60-4711-8293-a4b5c6d7e8f9"
VALUES = (KEY, KEY.replace("-", ""), "true", "false", "open", " x ", "  ", "2026-01-01", "1" * 300)
FILTERS = [HandFilters, NightFilters, *(each.filters for each in FEEDS)]


def by_form(filters: Any, asked: QueryDict) -> Any:
    """Return what django-filter parses: the values, or the errors by field."""
    form = filters(asked, HandFact.objects.none()).form
    if not form.is_valid():
        return [(name, str(text)) for name, texts in form.errors.items() for text in texts]
    empty: tuple[Any, ...] = (None, "")
    return {name: value for name, value in form.cleaned_data.items() if value not in empty}


@pytest.mark.parametrize("filters", FILTERS)
@pytest.mark.parametrize("value", VALUES)
def test_fast_filter_parser_matches_the_form(filters: Any, value: str) -> None:
    parameters = QueryDict(mutable=True)
    parameters.update(dict.fromkeys(filters.base_filters, value))
    try:
        parsed: Any = read_filters(filters, parameters)
    except BadQueryError as error:
        parsed = [(each["where"], each["text"]) for each in error.errors]
    assert parsed == by_form(filters, parameters)
