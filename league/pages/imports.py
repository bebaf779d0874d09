"""Import hand histories from other services into a league: upload, preview, confirm.

The text of a small file is included in the page, so that nothing is stored before the host
confirms. A large file is imported by a worker (`league.imports.execution`), and the job's page
shows the progress.
"""

from decimal import Decimal
from pathlib import PurePath
from typing import Any, TypeVar
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from league.access import Action, find_league
from league.archive.file_format import is_season_file
from league.common.errors import RefusedError
from league.common.money import decimals_of, in_money, money_of
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
from league.imports.names import remembered_matches
from league.imports.planning import plan
from league.models import LONGEST_NAME, ImportJob, League
from league.pages.import_report import is_new, night_lines, remarks_of, title_of
from league.pages.parts.forms import add_refusal
from league.pages.parts.numbers import MoneyField
from league.pages.parts.visitor import signed_in
from rules.api import MOST_PLACES
from rules.errors import Problem
from rules.formats.amounts import Chip, Number, is_chips
from rules.formats.files import format_of
from rules.formats.pokernow.log import UNITS
from rules.formats.text_files import read_bytes, unknown_text

LARGEST = LARGEST_FILES
CARRIED = 1_000_000  # maximum size in bytes of the text included in the page, about 900 hands
EMPTY = gettext_lazy("The file is empty or not a text file. Save it as UTF-8 and try again.")
NIGHTS = (
    (DATE, gettext_lazy("One evening")),
    (FILE, gettext_lazy("The whole file")),
)


# Format names, contents and file name extensions.
FORMATS = (
    ("PokerNow", gettext_lazy("Hand history, or ledger with buy-ins and cash-outs"), ".csv"),
    (
        gettext_lazy("Spreadsheet"),
        gettext_lazy("Past nights with the columns date, player, buy-in, cash-out"),
        ".csv",
    ),
    ("PokerStars", gettext_lazy("Hand history"), ".txt"),
    ("Open Hand History", gettext_lazy("Hand history"), ".ohh .json"),
    ("PHH", gettext_lazy("Poker Hand History of one or more hands"), ".phh .phhs"),
    (
        "Dealer's Choice",
        gettext_lazy("Hands exported from Dealer's Choice, one per line"),
        ".jsonl",
    ),
)

CENT_DECIMALS = 2  # of a currency with cents
POKERNOW, LEDGER, PAST_NIGHTS = "pokernow", "pokernow-ledger", "past-nights"
CHIP = "chip"
MORE = ("nights", CHIP)  # options with a default value

Form = TypeVar("Form", bound="OptionsForm")


class OptionsForm(forms.Form):
    """The options for reading and recording a file."""

    chip = MoneyField(label=gettext_lazy("Value of one chip in the file"), required=False)
    nights = forms.ChoiceField(label=gettext_lazy("One night is"), required=False, choices=NIGHTS)
    called = forms.CharField(
        label=gettext_lazy("Match players"),
        required=False,
        help_text=gettext_lazy(
            "Name in file = player, one per line. Matches of earlier imports are filled in."
        ),
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
    # the chip of the preview that the host has seen
    seen = forms.DecimalField(required=False, widget=forms.HiddenInput)

    amounts = ""  # the unit of PokerNow's numbers

    def __init__(self, league: League, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        text = _(
            "A chip is %(worth)s here. If the file counts chips, enter 1. If it counts money, "
            "enter %(value)s."
        )
        if decimals_of(league.currency) == CENT_DECIMALS and league.chip_value > 1:
            text = _(
                "A chip is %(worth)s here. If the file counts chips, enter 1. If it counts money, "
                "enter %(value)s, or %(cents)s for cents."
            )
        worth = {
            "worth": in_money(1, league),
            "value": money_of(1, league),
            "cents": league.chip_value,
        }
        self.fields[CHIP].help_text = text % worth

    def clean_chip(self) -> Decimal | None:
        amount: Decimal | None = self.cleaned_data[CHIP]
        if amount is not None and not (amount > 0 and is_chips(amount)):
            raise forms.ValidationError(
                _("Enter an amount above 0 with at most %(most)s decimal places.")
                % {"most": MOST_PLACES}
            )
        return amount

    def clean_called(self) -> dict[str, str]:
        players: dict[str, str] = {}
        for line in self.cleaned_data["called"].splitlines():
            name, mark, player = line.rpartition("=")
            if line.strip() and not (mark and name.strip() and player.strip()):
                wrong = _("“%(line)s” is not a match. Write: name in file = player.") % {
                    "line": line[:60]
                }
                raise forms.ValidationError(wrong)
            if mark:
                players[name.strip()] = player.strip()
        return players

    def options(self) -> ImportOptions:
        """Return the options, with the default values of options that are invalid."""
        cleaned = self.cleaned_data
        chip = Chip.of(cleaned[CHIP]) if cleaned.get(CHIP) else None
        return ImportOptions(
            amounts=self.amounts,
            places=chip.places if chip else None,
            units=chip.units if chip else 1,
            by_value=True,
            nights=cleaned.get("nights") or DATE,
            called=cleaned.get("called", {}),
            add_players=cleaned.get("add_players", False),
            close=cleaned.get("close", False),
            bears=cleaned.get("bears", ""),
            settled=cleaned.get("settled", False),
        )


class ImportForm(OptionsForm):
    """A file, or the text of a previewed file, with its options."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        widget=forms.FileInput({"accept": ".phh,.phhs,.json,.jsonl,.ohh,.csv,.txt"}),
        error_messages={"empty": EMPTY},
    )
    name = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)
    text = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)

    field_order = ("file", "name", "text")
    recalls = False  # whether players are matched as in earlier imports

    def clean_file(self) -> "UploadedFile[Any] | None":
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file is not None and (file.size or 0) > LARGEST:
            raise forms.ValidationError(_too_large())
        return file

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        file = cleaned.get("file")
        if file is not None:
            if cleaned.get(CHIP) == cleaned.get("seen") and cleaned["name"] not in ("", file.name):
                cleaned[CHIP] = None  # suggested for a different file
            cleaned["name"] = (file.name or "")[:200]
            cleaned["text"], unknown = read_bytes(file.read())
            if unknown is not None:
                self.add_error("file", _not_hands(unknown))
            elif not cleaned["text"].strip():
                self.add_error("file", EMPTY)
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
        if "file" not in self.errors:
            self._reject_other_files(cleaned["text"])
        self.amounts = UNITS if self.format.startswith((POKERNOW, PAST_NIGHTS)) else ""
        return cleaned

    def _reject_other_files(self, text: str) -> None:
        if is_season_file(text):
            where = _("Import it on the season page of a new league, before its first hand.")
            self.add_error("file", " ".join((_("This is a season file."), where)))
        elif not self.format:
            self.add_error("file", _not_hands(unknown_text(text)))

    @property
    def format(self) -> str:
        """The format of the file, or "" before a file is chosen."""
        if "format" in self.initial:
            return str(self.initial["format"])
        values = self.cleaned_data if self.is_bound else self.initial
        return format_of(values.get("text", ""), PurePath(values.get("name", "")).suffix.lower())


def _not_hands(unknown: Problem) -> str:
    return " ".join((_("This file can't be imported."), unknown.text))


def _shown_options(form: OptionsForm, summary: dict[str, Any] | None, league: League) -> list[str]:
    """Return the options to show.

    These options are unclear from the file, set by the user, or invalid. The format of a large file
    is not known at this point.
    """
    format_name = form.format if isinstance(form, ImportForm) else None
    is_job = format_name is None
    remarks = summary["remarks"]["refused"]["some"] if summary else []
    strangers = any(each["code"] == "name-twice" for each in remarks) or bool(
        summary and (summary["new_players"] or summary.get("strangers"))
    )
    nights = summary["nights"] if summary and is_new(summary) else []
    shown = {
        CHIP: summary is not None and _chip_in_doubt(league, summary, form.amounts),
        "called": is_job or strangers,
        "add_players": is_job or strangers,
        "close": bool(nights),
        "settled": bool(nights),
        "bears": any(night.get("missing") for night in nights),
    }
    return [
        name
        for name, is_open in shown.items()
        if is_open or (name != CHIP and form[name].value()) or form[name].errors
    ]


def _too_large() -> str:
    most = LARGEST // 1_000_000
    text = _("The file has more than %(most)s MB. Import a longer history in several files.")
    return text % {"most": most}


@require_http_methods(["GET", "HEAD", "POST"])
def bring(request: HttpRequest, league_id: UUID) -> HttpResponse:
    league = find_league(request.user, Action.MANAGE, league_id)
    if request.method != "POST":
        return _page(request, league, ImportForm(league))
    form = ImportForm(league, request.POST, request.FILES)
    is_valid = _is_valid(form, league)
    text = form.cleaned_data.get("text", "")
    if form.cleaned_data.get("file") and "called" in form.cleaned_data:
        typed = form.cleaned_data["called"]
        form.cleaned_data["called"] = remembered_matches(league, text) | typed
        form.recalls = form.cleaned_data["called"] != typed
        if form.recalls:
            called = form.cleaned_data["called"].items()
            names = ", ".join(f"{name} = {player}" for name, player in called if name not in typed)
            note = _("Names are matched as in earlier imports: %(names)s. Check them.")
            messages.info(request, note % {"names": names})
    size = len(text.encode("utf-8", "replace"))
    is_large = size > CARRIED or form.format == PAST_NIGHTS
    if "file" in form.errors or (is_large and not is_valid):
        return _page(request, league, form, status=400)
    return (_import_later if is_large else _import_now)(request, league, form)


def _import_later(request: HttpRequest, league: League, form: ImportForm) -> HttpResponse:
    """Let a worker read the file."""
    name, text = form.cleaned_data["name"], form.cleaned_data["text"]
    try:
        job = jobs.start_import(league, name, text, form.options(), by=signed_in(request))
    except RefusedError as refused:
        add_refusal(form, refused)
        return _page(request, league, form, status=400)
    return redirect("import-job", league.pk, job.pk)


def _import_now(request: HttpRequest, league: League, form: ImportForm) -> HttpResponse:
    """Preview or record the file. If an option is invalid, preview it with the other options."""
    name, text = form.cleaned_data.get("name", ""), form.cleaned_data["text"]
    planned, report = plan(league, [Source(name, "", text)], form.options()), Report()
    if not form.errors:
        wrong = wrong_options(league, form.options(), planned.new_players)
        add_refusal(form, RefusedError(wrong))
    chip = planned.chip and planned.chip.amount(1)
    # the host has to see matches of earlier imports first
    records = not form.errors and not form.recalls and _records(request, form, chip)
    if records:
        by = signed_in(request)
        steps = record_plan(league, planned, report, options=form.options(), by=by)
    else:
        steps = preview(league, planned, report)
    for _done in steps:
        pass
    summary = jobs.summary_of(report, recorded=records)
    if form.errors:
        form.data = {**form.data, "name": name, "text": text}
        return _page(request, league, form, summary=summary, status=400)
    if not records:
        # small files are carried along as a field of the form
        options = form.cleaned_data | {"file": None, "format": form.format}
        carrying = _with_options(ImportForm, league, options, summary)
        carrying.amounts = form.amounts
        return _page(request, league, carrying, summary=summary)
    _announce(request, summary)
    if report.refused or report.findings:
        return _page(request, league, ImportForm(league), summary=summary)
    return redirect("league", league.pk)


@require_http_methods(["GET", "HEAD", "POST"])
def import_job(request: HttpRequest, league_id: UUID, job_id: UUID) -> HttpResponse:
    """Show the progress and the preview of a large file's import, and record it."""
    league = find_league(request.user, Action.MANAGE, league_id)
    job = get_object_or_404(ImportJob.objects.defer("content"), pk=job_id, league=league)
    if request.method == "POST":
        form = OptionsForm(league, request.POST)
        form.amounts = job.options["amounts"]
        if not _is_valid(form, league, job.summary):
            return _page(request, league, form, summary=job.summary, job=job, status=400)
        seen = (job.summary or {}).get(CHIP)
        chip = form.cleaned_data[CHIP] or (Decimal(seen) if seen else None)
        records = _records(request, form, chip)
        jobs.restart(job, form.options(), records=records)
        return redirect("import-job", league.pk, job.pk)
    if job.done_at is None:
        return render(request, "imports/job.html", {"league": league, "job": job})
    if request.headers.get("HX-Request"):  # this is the progress page's last poll
        return HttpResponse(headers={"HX-Refresh": "true"})
    form = _with_options(OptionsForm, league, job.options, job.summary)
    form.amounts = job.options["amounts"]
    return _page(request, league, form, summary=job.summary, job=job)


def _is_valid(form: OptionsForm, league: League, summary: dict[str, Any] | None = None) -> bool:
    """Check the form. A preview's summary contains the names that the file adds."""
    if form.is_valid():
        options = form.options()
        added = _added(summary, options) if summary else None
        add_refusal(form, RefusedError(wrong_options(league, options, added)))
    return form.is_valid()


def _added(summary: dict[str, Any], options: ImportOptions) -> list[str] | None:
    """Return the names that the file may add, or None if the preview doesn't contain all."""
    strangers = summary["strangers"] or {"some": [], "more": 0}
    if strangers["more"] or summary["remarks"]["refused"]["count"]:
        return None
    return [*summary["new_players"], *strangers["some"], *options.called.values()]


def _chip_in_doubt(league: League, summary: dict[str, Any], amounts: str) -> bool:
    """Return whether the host has to check what a chip is in the file.

    A file in dollars, imported into a league whose chip is a quarter, could count a quarter for
    each dollar. Whole numbers of PokerNow may be cents.
    """
    if summary[CHIP] is None:
        return False
    too_fine = any(each["code"] == "too-fine" for each in summary["remarks"]["refused"]["some"])
    is_same = Decimal(summary[CHIP]) == money_of(1, league)
    return too_fine or not is_same or bool(amounts and summary["is_whole"])


def _records(request: HttpRequest, form: OptionsForm, chip: Number | None) -> bool:
    """Return whether to record the hands, and not only show them."""
    if "record" not in request.POST:
        return False
    if chip is not None and form.cleaned_data["seen"] != chip:
        text = _("Check the amounts for this value of a chip, then import.")
        messages.error(request, text, extra_tags="bad")
        return False
    return True


def _with_options(
    form: type[Form], league: League, options: dict[str, Any], summary: dict[str, Any] | None
) -> Form:
    called = "\n".join(f"{name}={player}" for name, player in options["called"].items())
    chip = Decimal(summary[CHIP]) if summary and summary[CHIP] else None
    return form(league, initial=options | {"called": called, CHIP: chip, "seen": chip})


def _announce(request: HttpRequest, summary: dict[str, Any]) -> None:
    """Show what was imported."""
    number = summary["recorded"]
    if number:
        text = ngettext("%(count)s hand imported.", "%(count)s hands imported.", number)
        messages.success(request, text % {"count": number})
    elif is_new(summary):
        messages.success(request, _("Ledger imported."))
    elif not (summary["remarks"]["refused"]["some"] or summary["strangers"]):  # else see the title
        messages.info(request, _("Already imported."))


def _page(
    request: HttpRequest,
    league: League,
    form: OptionsForm,
    *,
    summary: dict[str, Any] | None = None,
    job: ImportJob | None = None,
    status: int = 200,
) -> HttpResponse:
    shown = _shown_options(form, summary, league)
    is_ledger = isinstance(form, ImportForm) and form.format == LEDGER  # of one night
    more = [CHIP] if is_ledger else MORE
    shows_more = summary or job or any(form[name].errors for name in MORE)
    context = {
        "fields": [form[name] for name in shown],
        "more": [form[name] for name in more if name not in shown] if shows_more else [],
        "league": league,
        "form": form,
        "formats": FORMATS,
        "report": summary,
        "title": title_of(summary) if summary else "",
        "is_new": summary is not None and is_new(summary),
        "job": job,
        "has_failed": job is not None and job.done_at is not None and summary is None,
        "nights": night_lines(summary, league) if summary else [],
        "stays_open": not form["close"].value(),
        "remarks": remarks_of(summary) if summary else [],
        "carries": summary is not None and not summary["is_recorded"],
        "name": job.name if job else form.initial.get("name", ""),
        "largest": LARGEST,
        "too_large": _too_large(),
    }
    return render(request, "imports/import.html", context, status=status)
