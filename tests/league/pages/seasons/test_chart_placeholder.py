"""The picture that keeps a chart's place until the chart is drawn."""

import re
from types import SimpleNamespace
from uuid import uuid4

from django.template.loader import render_to_string


def test_placeholder_is_as_large_as_the_chart_that_replaces_it() -> None:
    """A space in the address made browsers ignore the wide picture and use the narrow one."""
    sizes = SimpleNamespace(wide=(680, 260), narrow=(304, 240))
    chart = {"state": "wanted", "sizes": sizes, "digest": "a" * 40, "league_id": uuid4()}
    [wide] = re.findall(
        r'srcset="([^"]*)"', render_to_string("seasons/chart.html", {"chart": chart})
    )
    assert " " not in wide
    assert "width=%27680%27%20height=%27260%27" in wide
