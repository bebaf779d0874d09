"""Templates without the white space that no browser shows, where thousands of lines repeat it."""

from typing import Any

from django import template

register = template.Library()


class Squeezed(template.Node):
    """What stands between the tags, without indents and empty lines.

    Not for texts of several lines, as those of `textarea`; what is typed in one stays as it is.
    Lines stay separate, because a phone stores forms as lists of lines (league/pages/offline.py).
    """

    def __init__(self, inner: template.NodeList) -> None:
        self.inner = inner

    def render(self, context: template.Context) -> Any:
        first, *rest = self.inner.render(context).split("\n")
        if not rest:
            return first
        between = filter(None, (line.strip() for line in rest[:-1]))
        return "\n".join([first.rstrip(), *between, rest[-1].lstrip()])


@register.tag
def squeezed(parser: template.base.Parser, _token: template.base.Token) -> Squeezed:
    """Squeeze what stands until `endsqueezed`."""
    inner = parser.parse(("endsqueezed",))
    parser.delete_first_token()
    return Squeezed(inner)
