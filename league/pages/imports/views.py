"""Hand histories of other services into a league: a file in, what it would bring, then yes.

The file travels with the page that asks, so that nothing is kept of what nobody said yes to. A
large file is sent again by the browser; without scripts its reader chooses it again.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from league.access import Action, find_league
from league.common.money import in_money
from league.common.text import controlled
from league.imports.contents import (
    DATE,
    FILE,
    LARGEST_FILES,
    ImportOptions,
    Source,
    wrong_options,
)
from league.imports.execution import Report, look, record_plan
from league.imports.planning import plan
from league.models import LONGEST_NAME, League
from league.pages.parts.visitor import signed_in
from rules.api import MOST_PLACES
from rules.formats.text_files import read_bytes

LARGEST = LARGEST_FILES
CARRIED = 1_000_000  # bytes of a text that travels with the page
MOST_SHOWN = 200  # of refusals, and of findings
AMOUNTS = (
    ("", gettext_lazy("it is not PokerNow's")),
    ("cents", gettext_lazy("cents")),
    ("units", gettext_lazy("whole units, with decimals")),
)
NIGHTS = (
    (DATE, gettext_lazy("an evening")),
    (FILE, gettext_lazy("the whole file")),
)


class ImportForm(forms.Form):
    """A file, or the text of one that was looked at, and how it is to be read."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        help_text=gettext_lazy(
            "PHH (.phh, .phhs), Open Hand History, PokerStars' text, PokerNow's log or ledger, or "
            "records one a line."
        ),
        widget=forms.FileInput({"accept": ".phh,.phhs,.json,.jsonl,.ohh,.csv,.txt"}),
    )
    name = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)
    text = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)
    amounts = forms.ChoiceField(
        label=gettext_lazy("PokerNow's numbers are"), required=False, choices=AMOUNTS
    )
    places = forms.IntegerField(
        label=gettext_lazy("Decimal places of a chip"),
        required=False,
        min_value=0,
        max_value=MOST_PLACES,
        help_text=gettext_lazy("2 where a chip is a cent; empty for the finest that is told."),
        widget=forms.NumberInput({"inputmode": "numeric", "autocomplete": "off"}),
    )
    nights = forms.ChoiceField(label=gettext_lazy("A night is"), required=False, choices=NIGHTS)
    called = forms.CharField(
        label=gettext_lazy("Match players"),
        required=False,
        help_text=gettext_lazy("A name of the file, =, a player; one a line."),
        widget=forms.Textarea({"rows": 3, "autocomplete": "off", "spellcheck": "false"}),
    )
    add_players = forms.BooleanField(label=gettext_lazy("Add players who lack"), required=False)
    close = forms.BooleanField(label=gettext_lazy("Close the nights by the hands"), required=False)
    bears = forms.CharField(
        label=gettext_lazy("If a ledger does not add up, the difference is shared by"),
        required=False,
        max_length=LONGEST_NAME,
        help_text=gettext_lazy("A player, or “all” who played. Empty: the night stays open."),
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    settled = forms.BooleanField(
        label=gettext_lazy("Everything was paid long ago: record the payments as paid"),
        required=False,
    )

    def clean_file(self) -> "UploadedFile[Any] | None":
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file is not None and (file.size or 0) > LARGEST:
            raise forms.ValidationError(_too_large())
        return file

    def clean_called(self) -> dict[str, str]:
        told: dict[str, str] = {}
        for line in self.cleaned_data["called"].splitlines():
            name, mark, player = line.rpartition("=")
            if line.strip() and not (mark and name.strip() and player.strip()):
                wrong = _("“%(line)s” is not a name, = and a player.") % {"line": line[:60]}
                raise forms.ValidationError(wrong)
            if mark:
                told[name.strip()] = player.strip()
        return told

    def clean(self) -> dict[str, Any]:
        told = self.cleaned_data
        file = told.get("file")
        if file is not None:
            told["name"] = (file.name or "")[:200]
            told["text"], unknown = read_bytes(file.read())
            if unknown is not None:
                self.add_error("file", unknown.text)
            elif not told["text"].strip():
                text = _("The file is empty, or not text in UTF-8, UTF-16 or Windows-1252.")
                self.add_error("file", text)
        elif not told.get("text") and "file" not in self.errors:
            again = _("Choose the file again.") if told.get("name") else _("Choose a file.")
            self.add_error("file", again)
        elif len(told.get("text", "").encode("utf-8", "replace")) > LARGEST:
            self.add_error("file", _too_large())
        told["text"] = told.get("text", "").replace("\r\n", "\n")  # as forms send lines
        if any(True for _path in controlled(told["text"])):  # no form would bring it back
            self.add_error("file", _("The file has control characters in it."))
        return told

    def options(self) -> ImportOptions:
        told = self.cleaned_data
        return ImportOptions(
            amounts=told["amounts"],
            places=told["places"],
            nights=told["nights"] or DATE,
            called=told["called"],
            add_players=told["add_players"],
            close=told["close"],
            bears=told["bears"],
            settled=told["settled"],
        )


def _too_large() -> str:
    most = LARGEST // 1_000_000
    text = _("The file has more than %(most)s MB. Import a longer history in several files.")
    return text % {"most": most}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def bring(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    if request.method != "POST":
        return _page(request, league, ImportForm())
    form = ImportForm(request.POST, request.FILES)
    if form.is_valid():
        for each in wrong_options(league, form.options()):
            form.add_error(None, each["text"])
    if not form.is_valid():
        return _page(request, league, form, status=400)
    source = Source(form.cleaned_data["name"], "", form.cleaned_data["text"])
    planned = plan(league, [source], form.options())
    if "record" not in request.POST:
        return _page(request, league, _carrying(form), report=look(league, planned))
    report = Report()
    by = signed_in(request)
    for _done in record_plan(league, planned, report, options=form.options(), by=by):
        pass
    count = report.recorded
    told = ngettext("%(count)s hand recorded.", "%(count)s hands recorded.", count)
    messages.success(request, told % {"count": count})
    if report.refused or report.findings:
        return _page(request, league, ImportForm(), report=report, recorded=True)
    return redirect("league", league.pk)


def _carrying(form: ImportForm) -> ImportForm:
    """Return the form as it was sent, with the text of the file in it unless that is large."""
    told = form.cleaned_data
    called = "\n".join(f"{name}={player}" for name, player in told["called"].items())
    text = told["text"] if len(told["text"].encode("utf-8", "replace")) <= CARRIED else ""
    return ImportForm(initial=told | {"called": called, "file": None, "text": text})


def _remarks(report: Report) -> list[dict[str, Any]]:
    """Return what is refused and what looks wrong, as many as a page shows."""
    told = (
        ("refused", _("Refused"), report.refused),
        ("differences", _("Stacks that no hand or purchase explains"), report.differences),
        ("findings", _("Against the rules, and recorded as it happened"), report.findings),
    )
    return [
        {"id": id_, "title": title, "some": some[:MOST_SHOWN], "more": len(some) - MOST_SHOWN}
        for id_, title, some in told
        if some
    ]


@dataclass(frozen=True, slots=True)
class NightLine:
    """A night of the report: who won and who lost most of its hands, in chips and in money.

    `reasons` say why it is not closed with the import.
    """

    name: str
    hands: int
    extremes: list[tuple[str, int, str]]
    reasons: list[str]


def _nights(league: League, report: Report) -> Iterator[NightLine]:
    for night, hands in report.nights:
        ranked = [each for each in night.won.most_common() if each[1]]
        extremes = [ranked[0], ranked[-1]] if len(ranked) > 1 else ranked
        told = [(name, chips, in_money(chips, league)) for name, chips in extremes]
        yield NightLine(night.name, hands, told, night.open_reasons())


def _page(
    request: HttpRequest,
    league: League,
    form: ImportForm,
    *,
    report: Report | None = None,
    recorded: bool = False,
    status: int = 200,
) -> HttpResponse:
    context = {
        "league": league,
        "form": form,
        "report": report,
        "recorded": recorded,
        "nights": list(_nights(league, report)) if report else [],
        "stays_open": not form["close"].value(),
        "chip": in_money(1, league),
        "remarks": _remarks(report) if report else [],
        "carries": report is not None and not recorded,
        "name": form.initial.get("name", ""),
        "again": report is not None and not recorded and not form.initial.get("text"),
        "largest": LARGEST,
        "too_large": _too_large(),
    }
    return render(request, "imports/import.html", context, status=status)
