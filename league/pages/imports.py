"""Import hand histories from other services into a league: upload, preview, confirm.

The text of a small file is included in the page, so that nothing is stored before the host
confirms. A large file is imported by a worker (`league.imports.execution`), and the job's page
shows the progress.
"""

from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, TypeVar
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from league.access import Action, find_league
from league.common.errors import RefusedError
from league.common.money import in_money, money_of
from league.common.text import controlled
from league.imports import jobs
from league.imports.contents import (
    DATE,
    FILE,
    LARGEST_FILES,
    ImportOptions,
    Source,
    wrong_options,
)
from league.imports.execution import Report, preview, record_plan
from league.imports.planning import plan
from league.models import LONGEST_NAME, ImportJob, League
from league.pages.parts.forms import add_refusal
from league.pages.parts.visitor import signed_in
from rules.api import MOST_PLACES
from rules.errors import Problem
from rules.formats.files import format_of
from rules.formats.pokernow.log import CENTS, UNITS
from rules.formats.text_files import read_bytes, unknown_text

LARGEST = LARGEST_FILES
CARRIED = 1_000_000  # maximum size in bytes of the text included in the page, about 900 hands
AMOUNTS = (
    ("", gettext_lazy("Choose")),
    (CENTS, gettext_lazy("Cents, such as 2550")),
    (UNITS, gettext_lazy("Units, such as 25.50")),
)
NIGHTS = (
    (DATE, gettext_lazy("One evening")),
    (FILE, gettext_lazy("The whole file")),
)


# Format names, contents and file name extensions.
FORMATS = (
    ("PokerNow", gettext_lazy("Hand history, or ledger with buy-ins and cash-outs"), ".csv"),
    ("PokerStars", gettext_lazy("Hand history"), ".txt"),
    ("Open Hand History", gettext_lazy("Hand history"), ".ohh .json"),
    ("PHH", gettext_lazy("Poker Hand History of one or more hands"), ".phh .phhs"),
    ("Dealer's Choice", gettext_lazy("Hands of this service, one per line"), ".jsonl"),
)

POKERNOW, LEDGER = "pokernow", "pokernow-ledger"
MORE = ("nights", "places")  # options with a default value
MOST_NETS = 10  # a night with more players shows the biggest winner and loser

Form = TypeVar("Form", bound="OptionsForm")


class OptionsForm(forms.Form):
    """The options for reading and recording a file."""

    amounts = forms.ChoiceField(
        label=gettext_lazy("Amounts in the file"),
        required=False,
        choices=AMOUNTS,
        help_text=gettext_lazy("PokerNow files don't contain the unit."),
    )
    places = forms.IntegerField(
        label=gettext_lazy("Decimal places"),
        required=False,
        min_value=0,
        max_value=MOST_PLACES,
        help_text=gettext_lazy("2 if a chip is a cent. Leave blank to use those of the file."),
        widget=forms.NumberInput({"inputmode": "numeric", "autocomplete": "off"}),
    )
    nights = forms.ChoiceField(label=gettext_lazy("One night is"), required=False, choices=NIGHTS)
    called = forms.CharField(
        label=gettext_lazy("Match players"),
        required=False,
        help_text=gettext_lazy("Name in file = player, one per line."),
        widget=forms.Textarea({"rows": 3, "autocomplete": "off", "spellcheck": "false"}),
    )
    add_players = forms.BooleanField(label=gettext_lazy("Add missing players"), required=False)
    close = forms.BooleanField(
        label=gettext_lazy("Close the nights"),
        required=False,
        help_text=gettext_lazy("With the expected stacks, without a chip count."),
    )
    bears = forms.CharField(
        label=gettext_lazy("Ledger difference goes to"),
        required=False,
        max_length=LONGEST_NAME,
        help_text=gettext_lazy(
            "If the ledger doesn't add up: a player, or “all” for everyone who played. Leave blank "
            "to keep the night open."
        ),
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    settled = forms.BooleanField(
        label=gettext_lazy("Mark all payments as received"),
        required=False,
        help_text=gettext_lazy("For nights that were paid long ago."),
    )
    confirmed = forms.IntegerField(required=False)  # the decimal places that the host confirmed

    def clean_called(self) -> dict[str, str]:
        players: dict[str, str] = {}
        for line in self.cleaned_data["called"].splitlines():
            name, mark, player = line.rpartition("=")
            if line.strip() and not (mark and name.strip() and player.strip()):
                wrong = _("“%(line)s” must be a name, = and a player.") % {"line": line[:60]}
                raise forms.ValidationError(wrong)
            if mark:
                players[name.strip()] = player.strip()
        return players

    def options(self) -> ImportOptions:
        cleaned = self.cleaned_data
        return ImportOptions(
            amounts=cleaned["amounts"],
            places=cleaned["places"],
            nights=cleaned["nights"] or DATE,
            called=cleaned["called"],
            add_players=cleaned["add_players"],
            close=cleaned["close"],
            bears=cleaned["bears"],
            settled=cleaned["settled"],
        )


class ImportForm(OptionsForm):
    """A file, or the text of a previewed file, with its options."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        widget=forms.FileInput({"accept": ".phh,.phhs,.json,.jsonl,.ohh,.csv,.txt"}),
    )
    name = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)
    text = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)

    field_order = ("file", "name", "text")

    def clean_file(self) -> "UploadedFile[Any] | None":
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file is not None and (file.size or 0) > LARGEST:
            raise forms.ValidationError(_too_large())
        return file

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        file = cleaned.get("file")
        if file is not None:
            cleaned["name"] = (file.name or "")[:200]
            cleaned["text"], unknown = read_bytes(file.read())
            if unknown is not None:
                self.add_error("file", _not_hands(unknown))
            elif not cleaned["text"].strip():
                text = _("The file is empty or not a text file. Save it as UTF-8 and try again.")
                self.add_error("file", text)
        elif not cleaned.get("text") and "file" not in self.errors:
            again = _("Choose the file again.") if cleaned.get("name") else _("Choose a file.")
            self.add_error("file", again)
        elif len(cleaned.get("text", "").encode("utf-8", "replace")) > LARGEST:
            self.add_error("file", _too_large())
        cleaned["text"] = cleaned.get("text", "").replace("\r\n", "\n")  # forms send CRLF
        # the form can't hold control characters
        if any(True for _path in controlled(cleaned["text"])):
            self.add_error(
                "file",
                _("The file contains control characters. Save it as plain text and try again."),
            )
        if not self.errors and not self.format:
            self.add_error("file", _not_hands(unknown_text(cleaned["text"])))
        return cleaned

    @property
    def format(self) -> str:
        """The format of the file, or "" before a file is chosen."""
        if "format" in self.initial:
            return str(self.initial["format"])
        values = self.cleaned_data if self.is_bound else self.initial
        return format_of(values.get("text", ""), PurePath(values.get("name", "")).suffix.lower())


def _not_hands(unknown: Problem) -> str:
    return " ".join((_("This is not a file of hands."), unknown.text))


def _asked(form: OptionsForm, summary: dict[str, Any] | None) -> list[str]:
    """Return the options to show.

    These options are unclear from the file, set by the user, or invalid. The format of a large file
    is not known at this point.
    """
    format_name = form.format if isinstance(form, ImportForm) else None
    is_job = format_name is None
    remarks = summary["remarks"]["refused"]["some"] if summary else []
    strangers = bool(summary and summary["new_players"]) or any(
        each["code"] == "unknown-player" for each in remarks
    )
    asked = {
        "amounts": format_name is None or format_name.startswith(POKERNOW),
        "called": is_job or strangers,
        "add_players": is_job or strangers,
        "close": is_job or summary is not None,
        "settled": is_job or summary is not None,
        "bears": is_job or (summary is not None and format_name == LEDGER),
    }
    return [
        name
        for name, is_open in asked.items()
        if is_open or form[name].value() or form[name].errors
    ]


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
    if not _is_valid(form, league):
        return _page(request, league, form, status=400)
    if form.format.startswith(POKERNOW) and not form.cleaned_data["amounts"]:
        return _page(request, league, _carrying(form))
    name, text, by = form.cleaned_data["name"], form.cleaned_data["text"], signed_in(request)
    if len(text.encode("utf-8", "replace")) > CARRIED:
        try:
            job = jobs.start_import(league, name, text, form.options(), by=by)
        except RefusedError as refused:
            add_refusal(form, refused)
            return _page(request, league, form, status=400)
        return redirect("import-job", league.pk, job.pk)
    planned, report = plan(league, [Source(name, "", text)], form.options()), Report()
    records = _records(request, form, league, planned.places)
    if records:
        steps = record_plan(league, planned, report, options=form.options(), by=by)
    else:
        steps = preview(league, planned, report)
    for _done in steps:
        pass
    summary = jobs.summary_of(report, recorded=records)
    if not records:
        return _page(request, league, _carrying(form), summary=summary)
    number = summary["recorded"]
    text = ngettext("%(count)s hand imported.", "%(count)s hands imported.", number)
    messages.success(request, text % {"count": number})
    if report.refused or report.findings:
        return _page(request, league, ImportForm(), summary=summary)
    return redirect("league", league.pk)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_job(request: HttpRequest, league_id: UUID, job_id: UUID) -> HttpResponse:
    """Show the progress and the preview of a large file's import, and record it."""
    league = find_league(request.user, Action.MANAGE, league_id)
    job = get_object_or_404(ImportJob.objects.defer("content"), pk=job_id, league=league)
    if request.method == "POST":
        form = OptionsForm(request.POST)
        if not _is_valid(form, league):
            return _page(request, league, form, job=job, status=400)
        options, summary = form.options(), job.summary or {}
        same = all(getattr(options, each) == job.options[each] for each in ("places", "amounts"))
        records = same and _records(request, form, league, summary.get("places"))
        jobs.restart(job, options, records=records)
        return redirect("import-job", league.pk, job.pk)
    if job.done_at is None:
        return render(request, "imports/job.html", {"league": league, "job": job})
    if request.headers.get("HX-Request"):  # this is the progress page's last poll
        return HttpResponse(headers={"HX-Refresh": "true"})
    form = _with_options(OptionsForm, job.options)
    return _page(request, league, form, summary=job.summary, job=job)


def _is_valid(form: OptionsForm, league: League) -> bool:
    if form.is_valid():
        for each in wrong_options(league, form.options()):
            form.add_error(None, each["text"])
    return form.is_valid()


def _chip_in_doubt(league: League, places: int | None) -> str:
    """Return what an amount of 1.00 in the file is worth here, or "" if it is 1.00 here too.

    A file in dollars, imported into a league whose chip is a quarter, would count a quarter.
    """
    if places is None or money_of(10**places, league) == 1:
        return ""
    text = ngettext(
        "1.00 in the file is %(chips)s chip here, %(worth)s. That is right.",
        "1.00 in the file is %(chips)s chips here, %(worth)s. That is right.",
        10**places,
    )
    return text % {"chips": 10**places, "worth": in_money(10**places, league)}


def _records(request: HttpRequest, form: OptionsForm, league: League, places: int | None) -> bool:
    """Return whether to record the hands, and not only show them."""
    asked = "record" in request.POST
    if asked and _chip_in_doubt(league, places) and form.cleaned_data["confirmed"] != places:
        messages.error(
            request, _("Confirm what the amounts are worth, then import."), extra_tags="bad"
        )
        return False
    return asked


def _carrying(form: ImportForm) -> ImportForm:
    """Return the submitted form, with the file's text as a field unless the file is large."""
    text = form.cleaned_data["text"]
    carried = text if len(text.encode("utf-8", "replace")) <= CARRIED else ""
    return _with_options(
        ImportForm, form.cleaned_data | {"file": None, "text": carried, "format": form.format}
    )


def _with_options(form: type[Form], options: dict[str, Any]) -> Form:
    called = "\n".join(f"{name}={player}" for name, player in options["called"].items())
    return form(initial=options | {"called": called})


def _remarks(summary: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the refused entries and the warnings, up to the number that a page shows."""
    titles = {
        "refused": _("Not imported"),
        "differences": _("Stacks that don't match the hands and buy-ins"),
        "findings": _("Imported despite breaking the rules"),
    }
    remarks = ((name, title, summary["remarks"][name]) for name, title in titles.items())
    return [
        {
            "id": name,
            "title": title,
            "some": remark["some"],
            "more": remark["count"] - len(remark["some"]),
        }
        for name, title, remark in remarks
        if remark["some"]
    ]


@dataclass(frozen=True, slots=True)
class NightLine:
    """A night in the report, with its players' nets, in chips and in money.

    `more` is the number of players who are not listed. `reasons` explain why the import does not
    close the night.
    """

    name: str
    hands: int
    nets: list[tuple[str, int, str]]
    more: int
    reasons: list[str]


def _page(
    request: HttpRequest,
    league: League,
    form: OptionsForm,
    *,
    summary: dict[str, Any] | None = None,
    job: ImportJob | None = None,
    status: int = 200,
) -> HttpResponse:
    nights = []
    for night in summary["nights"] if summary else ():
        won = night["won"]
        shown = won if len(won) <= MOST_NETS else [won[0], won[-1]]
        nets = [(name, chips, in_money(chips, league)) for name, chips in shown]
        more = len(won) - len(shown)
        nights.append(NightLine(night["name"], night["hands"], nets, more, night["reasons"]))
    shows_more = summary or job or any(form[name].errors for name in MORE)
    context = {
        "asked": [form[name] for name in _asked(form, summary)],
        "more": [form[name] for name in MORE] if shows_more else [],
        "league": league,
        "form": form,
        "formats": FORMATS,
        "report": summary,
        "job": job,
        "nights": nights,
        "stays_open": not form["close"].value(),
        "in_doubt": _chip_in_doubt(league, summary.get("places") if summary else None),
        "remarks": _remarks(summary) if summary else [],
        "carries": summary is not None and not summary["is_recorded"],
        "name": job.name if job else form.initial.get("name", ""),
        "largest": LARGEST,
        "too_large": _too_large(),
    }
    return render(request, "imports/import.html", context, status=status)
