"""Import hand histories from other services and tools into a league, or only check them."""

from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.fields import InputSerializer, OutputSerializer, StrictBoolean, StrictInteger, Text
from api.http.idempotency import idempotent
from api.http.parsers import Json, TooLargeError
from api.http.resource import Resource
from api.openapi.schema import operation
from league.access import Action, find_league
from league.common.errors import refuse
from league.imports.contents import DATE, FILE, LARGEST_FILES, ImportOptions, Source, wrong_options
from league.imports.execution import Report, preview, record_plan
from league.imports.planning import plan
from rules.api import MOST_PLACES
from rules.formats.pokernow.log import AMOUNTS

MOST_FILES = 1000
LARGEST_JSON = 32 * 1024 * 1024  # maximum size of the files as JSON, including escapes
TOO_LARGE_FILES = (
    "Files to import have at most 20 MB together. Import a longer history in several requests."
)


class ImportJson(Json):
    largest = LARGEST_JSON


GROUPINGS = (DATE, FILE)  # ways to group hands into nights


class ImportFileInputSerializer(InputSerializer):
    """A file with its name and text. The suffix of the name determines the format."""

    name = Text(max_length=200)
    text = Text()


class ImportInputSerializer(InputSerializer):
    """How to read the files. If `check` is true, nothing is recorded."""

    files = serializers.ListField(child=ImportFileInputSerializer(), max_length=MOST_FILES)
    unit = serializers.ChoiceField(
        ["", *AMOUNTS], source="amounts", default="", help_text="unit of PokerNow's numbers"
    )
    decimals = StrictInteger(
        source="places",
        min_value=0,
        max_value=MOST_PLACES,
        allow_null=True,
        default=None,
        help_text="decimal places of a chip in the files' unit; null for the most that occur",
    )
    group_by = serializers.ChoiceField(
        GROUPINGS, source="nights", default=DATE, help_text="how hands are grouped into nights"
    )
    player_names = serializers.DictField(
        source="called",
        child=Text(),
        default=dict,
        help_text="players' names in the league, by their names in the files",
    )
    add_players = StrictBoolean(default=False, help_text="add unknown names as players")
    close = StrictBoolean(default=False, help_text="close the nights whose chips add up")
    charge_difference_to = Text(
        source="bears",
        required=False,
        allow_blank=True,
        default="",
        max_length=200,
        help_text="the player who pays a ledger's difference, or `all`",
    )
    mark_paid = StrictBoolean(
        source="settled", default=False, help_text="record the payments of the nights as paid"
    )
    check = StrictBoolean(default=False, help_text="report only; nothing is stored")


class ImportProblemSerializer(OutputSerializer):
    file = serializers.CharField()
    line = serializers.IntegerField()
    hand = serializers.CharField()
    where = serializers.CharField()
    action = serializers.CharField()
    code = serializers.CharField()
    text = serializers.CharField()


class ImportDifferenceSerializer(OutputSerializer):
    """A stack in a file that differs from the stack computed from its hands, in chips."""

    file = serializers.CharField()
    line = serializers.IntegerField()
    hand = serializers.CharField()
    night_name = serializers.CharField(source="night")
    player_name = serializers.CharField(source="player", help_text="as in the file")
    expected = serializers.IntegerField()
    stated = serializers.IntegerField()
    code = serializers.CharField()
    text = serializers.CharField()


class ImportedNightSerializer(OutputSerializer):
    """A night. `open_reasons` explains why `close` left it open."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    hands = serializers.IntegerField()
    open_reasons = serializers.ListField(child=serializers.CharField())


class ImportReportSerializer(OutputSerializer):
    """The numbers of new and known hands, and what was refused, with reasons.

    `findings` are deviations from a game's rules in recorded hands. `differences` are stacks that
    no hand or purchase in the files explains.
    """

    recorded = serializers.IntegerField()
    known = serializers.IntegerField()
    nights = ImportedNightSerializer(many=True)
    new_players = serializers.ListField(child=serializers.CharField())
    refused = ImportProblemSerializer(many=True)
    findings = ImportProblemSerializer(many=True)
    differences = ImportDifferenceSerializer(many=True)


class Imports(Resource):
    parser_classes = (ImportJson,)

    @operation(
        "import_hands",
        "Import hands from other formats, each hand once",
        ImportReportSerializer,
        body=ImportInputSerializer,
    )
    @idempotent
    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        body = self.validated_body(ImportInputSerializer)
        files, check = body.pop("files"), body.pop("check")
        if sum(len(file["text"].encode("utf-8", "replace")) for file in files) > LARGEST_FILES:
            raise TooLargeError(detail=TOO_LARGE_FILES)
        options = ImportOptions(**body)
        refuse(wrong_options(league, options))
        planned = plan(league, (Source(file["name"], "", file["text"]) for file in files), options)
        report = Report()
        if check:
            steps = preview(league, planned, report)
        else:
            steps = record_plan(league, planned, report, options=options, by=self.user)
        for _ in steps:
            pass
        result = {
            "recorded": report.recorded,
            "known": report.known,
            "nights": [
                {
                    "id": night.id,
                    "name": night.name,
                    "hands": hands,
                    "open_reasons": night.open_reasons(),
                }
                for night, hands in report.nights
            ],
            "new_players": report.new_players,
            "refused": [hand.as_dict() for hand in report.refused],
            "findings": [finding.as_dict() for finding in report.findings],
            "differences": [difference.as_dict() for difference in report.differences],
        }
        return Response(self.serialize(ImportReportSerializer, result))
