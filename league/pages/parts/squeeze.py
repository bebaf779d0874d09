"""A template tag that removes insignificant white space from long, repetitive pages."""

from typing import Any

from django import template

register = template.Library()


class Squeezed(template.Node):
    """The content between the tags, without indents and empty lines.

    Do not use it for multi-line text, such as the content of a `textarea`. Lines stay separate,
    because phones store forms as lists of lines (league/pages/offline.py).
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
    """Remove white space up to `endsqueezed`."""
    inner = parser.parse(("endsqueezed",))
    parser.delete_first_token()
    return Squeezed(inner)
