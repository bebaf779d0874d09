"""Hand histories of other services and tools into a league; or what that would come to."""

from typing import Any
from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.fields import Asked, Text, Told, Truth, Whole
from api.once import once
from api.resource import Resource
from api.schema import operation
from league.access import Action, find_league
from league.imports.planning import plan
from league.imports.recording import Report, look, record_plan
from league.imports.wishes import DATE, FILE, Source, Wishes, wrong_wishes
from league.refusals import refuse
from rules.formats.amounts import MOST_PLACES
from rules.formats.pokernow import AMOUNTS

MOST_FILES = 1000


class FileAsked(Asked):
    """A file: its name, whose ending says what it is, and what it says."""

    name = Text(max_length=200)
    text = Text()


class ImportAsked(Asked):
    """`called` says who is meant by a name of the files; `check` records nothing."""

    files = serializers.ListField(child=FileAsked(), max_length=MOST_FILES)
    amounts = serializers.ChoiceField(["", *AMOUNTS], default="")
    places = Whole(min_value=0, max_value=MOST_PLACES, allow_null=True, default=None)
    nights = serializers.ChoiceField([DATE, FILE], default=DATE)
    called = serializers.DictField(child=Text(), default=dict)
    add_players = Truth(default=False)
    close = Truth(default=False)
    check = Truth(default=False)


class RefusedTold(Told):
    file = serializers.CharField()
    line = serializers.IntegerField()
    hand = serializers.CharField()
    where = serializers.CharField()
    action = serializers.CharField()
    code = serializers.CharField()
    text = serializers.CharField()


class ImportedNightTold(Told):
    id = serializers.UUIDField()
    name = serializers.CharField()
    hands = serializers.IntegerField()


class ImportTold(Told):
    """Hands recorded (or that would be), hands known before, and whatever was refused and why.

    `findings` are in hands that are recorded: what the table did against the rules of the game.
    """

    recorded = serializers.IntegerField()
    known = serializers.IntegerField()
    nights = ImportedNightTold(many=True)
    new_players = serializers.ListField(child=serializers.CharField())
    refused = RefusedTold(many=True)
    findings = RefusedTold(many=True)


class Imports(Resource):
    @operation("Record hands of other formats, each once", ImportTold, asks=ImportAsked)
    @once
    def post(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.MANAGE, league_id)
        asked = self.asked(ImportAsked)
        files, check = asked.pop("files"), asked.pop("check")
        wishes = Wishes(**asked)
        refuse(wrong_wishes(league, wishes))
        planned = plan(league, (Source(each["name"], "", each["text"]) for each in files), wishes)
        report = look(league, planned) if check else Report()
        if not check:
            for _ in record_plan(league, planned, report, wishes=wishes, by=self.user):
                pass
        return Response(self.told(ImportTold, _told(report)))


def _told(report: Report) -> dict[str, Any]:
    return {
        "recorded": report.recorded,
        "known": report.known,
        "nights": [
            {"id": night.id, "name": night.name, "hands": hands} for night, hands in report.nights
        ],
        "new_players": report.new_players,
        "refused": [each.as_dict() for each in report.refused],
        "findings": [each.as_dict() for each in report.findings],
    }
