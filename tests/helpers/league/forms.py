"""The fields that a browser would submit from a page's form."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

from django.http import HttpResponse

Attributes = dict[str, str | None]


@dataclass
class Form:
    """A form's fields by name, and its errors by field."""

    fields: dict[str, list[str]] = field(default_factory=dict)
    problems: dict[str, list[str]] = field(default_factory=dict)


class Reader(HTMLParser):
    def __init__(self, form_id: str) -> None:
        super().__init__()
        self.form = Form()
        self.form_id = form_id
        self.inside = False
        self.text: list[str] | None = None
        self.name = self.box = ""
        self.option: Attributes = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "form":
            self.inside = attributes.get("id") == self.form_id
        if not self.inside:
            return
        match tag:
            case "input":
                self._input(attributes)
            case "select" | "textarea":
                self.name, self.text = attributes["name"] or "", []
            case "option" if "selected" in attributes:
                self._add(self.name, attributes["value"] or "")
            case "div" if "data-field" in attributes:
                self.box = attributes["data-field"] or ""
            case "p" if attributes.get("class") == "error":
                self.text = []

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False
        elif tag == "textarea" and self.text is not None:
            self._add(self.name, "".join(self.text).removeprefix("\n"))
        elif tag == "p" and self.text is not None and self.box:
            self.form.problems.setdefault(self.box, []).append("".join(self.text))
        else:
            return
        self.text = None

    def handle_data(self, data: str) -> None:
        if self.text is not None:
            self.text.append(data)

    def _input(self, attributes: Attributes) -> None:
        name = attributes.get("name")
        ticked = attributes.get("type") not in ("radio", "checkbox") or "checked" in attributes
        if name and ticked:
            self._add(name, attributes.get("value") or "")

    def _add(self, name: str, text: str) -> None:
        self.form.fields.setdefault(name, []).append(text)


def form_of(response: HttpResponse, form_id: str = "record") -> Form:
    """Return the page's form with this id."""
    text = response.content.decode()
    # Only the form is parsed, because parsing the list of all games around it would be slower.
    begin = text.rfind("<form", 0, max(text.find(f'id="{form_id}"'), 0))
    reader = Reader(form_id)
    reader.feed(text[max(begin, 0) :].partition("</form>")[0])
    return reader.form


def sent(form: Form) -> dict[str, list[str]]:
    """Return the submitted fields that are not empty."""
    return {name: texts for name, texts in form.fields.items() if any(texts)}


def errors_in(response: HttpResponse) -> Iterator[str]:
    """Yield the errors shown on a page."""
    for part in response.content.decode().split('class="error"')[1:]:
        yield part.split(">", 1)[1].split("<", 1)[0]
