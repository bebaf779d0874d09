"""Pagination of long lists. `parts/pager.html` shows the links."""

from collections.abc import Sequence
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest

ROWS = 100


def page_of(
    request: HttpRequest, rows: Sequence[Any] | QuerySet[Any], *, name: str, size: int = ROWS
) -> Page[Any]:
    """Return the page in the URL parameter `name`, or page 1 if the value is invalid."""
    return Paginator(rows, size).get_page(request.GET.get(name))
