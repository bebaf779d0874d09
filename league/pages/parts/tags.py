"""Tags and filters of every template: module scripts, sections without white space, sentences."""

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

from django import template
from django.contrib.staticfiles.finders import find
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst

register = template.Library()
_BETWEEN = re.compile(r"(</(?:span|code)>)\s*(?=<(?:span|code)\b)")
_IMPORT = re.compile(r'^(?:import|export)\b[^"\n]*"(\.[^"]+)";', re.MULTILINE)


@register.simple_tag
def module(name: str, *, is_async: bool = False) -> SafeString:
    """Return the script element, and links to preload everything that the script imports.

    Without the links, the browser discovers imports one level at a time. A page is ready
    without its `is_async` scripts. They may run before the rest of the page is parsed.
    """
    links = format_html_join(
        "\n", '<link rel="modulepreload" href="{}">', ((static(each),) for each in imports(name))
    )
    script = format_html(
        '<script type="module"{} src="{}"></script>', " async" if is_async else "", static(name)
    )
    return format_html("{}\n{}", script, links)


@cache
def imports(name: str) -> tuple[str, ...]:
    """Return the names of all files that a module imports, directly or not, nearest first."""
    names = [name]
    for module in names:
        path = find(module)
        text = Path(path).read_text() if isinstance(path, str) else ""
        near = (normpath(join(dirname(module), to)) for to in _IMPORT.findall(text))
        names += dict.fromkeys(to for to in near if to not in names)
    return tuple(names[1:])


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


@register.simple_block_tag
def commas(content: str) -> SafeString:
    """Return the elements with a comma after each but the last, also for copies and speech."""
    return SafeString(_BETWEEN.sub(r",\1 ", content.strip()))


@register.filter
def sentence(text: object) -> str:
    """Return the text of an error with a capital letter and a full stop.

    Error texts are written for programs and have neither.
    """
    words = str(text).strip()
    return capfirst(words) + ("" if words.endswith((".", "!", "?", ":", "…")) else ".")
