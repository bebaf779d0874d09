"""Read a hand in one line: "ann kings and nines, bob mucks, pot 45" (docs/one-line.md)."""

from typing import Any
from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.fields import InputSerializer, OutputSerializer, Text
from api.http.resource import Resource
from api.openapi.schema import operation
from league.access import Action, find_night
from league.common.errors import RefusedError, problem
from league.deals.table import Table
from league.games.lookup import house_games
from rules.errors import GameError
from rules.spoken import LONGEST, MARKS, Entry, read_hand

MOST_MODIFIERS, MOST_OPTIONS = 20, 50
LONGEST_WORD = 100


class HandSentenceInputSerializer(InputSerializer):
    """A sentence about a hand, and the game with its modifiers and options, as in a record."""

    text = Text(max_length=LONGEST)
    variant = Text(max_length=LONGEST_WORD, help_text="the slug of a game")
    modifiers = serializers.ListField(
        child=Text(max_length=LONGEST_WORD), required=False, max_length=MOST_MODIFIERS
    )
    options = serializers.DictField(required=False)


STATES = ("in", "folded", "mucked", "all-in")
DEPTHS = ("showdown", "result", "unknown")


class SentenceHandSerializer(OutputSerializer):
    """A kind of hand that was named, such as `two-pair` with the ranks K and 9."""

    category = serializers.CharField()
    ranks = serializers.ListField(child=serializers.CharField())


class SentencePlayerSerializer(OutputSerializer):
    """The facts about one player in a sentence. The fields are named as in a record."""

    name = serializers.CharField()
    state = serializers.ChoiceField(STATES)
    paid = serializers.IntegerField(allow_null=True)
    took = serializers.IntegerField(allow_null=True)
    declared = serializers.CharField(allow_blank=True)
    down = serializers.ListField(child=serializers.CharField())
    up = serializers.ListField(child=serializers.CharField())
    piles = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))
    hands = SentenceHandSerializer(many=True)


class SentenceMarkSerializer(OutputSerializer):
    """A part of the text that isn't used. `start` and `end` count Unicode code points.

    `players` are the players that the part may name or that it concerns.
    """

    start = serializers.IntegerField()
    end = serializers.IntegerField()
    text = serializers.CharField()
    code = serializers.ChoiceField(MARKS)
    players = serializers.ListField(child=serializers.CharField())


class SentencePartSerializer(OutputSerializer):
    """A part of the text that was understood, and what it is about: `pot`, `cards`, `state`."""

    start = serializers.IntegerField()
    end = serializers.IntegerField()
    key = serializers.CharField()
    player = serializers.CharField(allow_blank=True)


class HandSentenceSerializer(OutputSerializer):
    """The facts in a sentence. This is not a record yet: a client completes and records it.

    `depth` is `unknown` if the text fits both. `all_paid` is what each player without a `paid` put
    in. `winner` took the whole pot.
    """

    depth = serializers.ChoiceField(DEPTHS)
    board = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    players = SentencePlayerSerializer(many=True)
    all_paid = serializers.IntegerField(allow_null=True)
    pot = serializers.IntegerField(allow_null=True)
    winner = serializers.CharField(allow_null=True)
    parts = SentencePartSerializer(many=True)
    marks = SentenceMarkSerializer(many=True)


class NightSentence(Resource):
    @operation(
        "read_hand",
        "Read a hand from one line of text; nothing is stored",
        HandSentenceSerializer,
        body=HandSentenceInputSerializer,
    )
    def post(self, request: Request, night_id: UUID) -> Response:
        night = find_night(self.visitor, Action.RECORD_HANDS, night_id)
        body = self.validated_body(HandSentenceInputSerializer)
        names = [seat.player.name for seat in Table(night).taken]
        variant = house_games(night).get(body["variant"], body["variant"])
        try:
            entry = read_hand(
                body["text"],
                names,
                variant,
                body.get("modifiers", ()),
                body.get("options"),
            )
        except GameError as error:
            problems = [problem(each.where, each.code, each.text) for each in error.problems]
            raise RefusedError(problems) from error
        return Response(self.serialize(HandSentenceSerializer, as_json(body["text"], entry)))


def as_json(text: str, entry: Entry) -> dict[str, Any]:
    """Return the data of HandSentenceSerializer."""
    players = []
    for name, player in entry.players.items():
        piles = {zone.removeprefix("piles/"): c for zone, c in player.cards.items() if "/" in zone}
        players.append(
            {
                "name": name,
                "state": player.state or "in",
                "paid": player.paid,
                "took": player.took,
                "declared": player.declared,
                "down": player.cards.get("down", []),
                "up": player.cards.get("up", []),
                "piles": piles,
                "hands": player.hands,
            }
        )
    return {
        "depth": "unknown" if entry.depth is None else entry.depth or "showdown",
        "board": entry.board,
        "players": players,
        "all_paid": entry.all_paid,
        "pot": entry.pot,
        "winner": entry.winner or None,
        "parts": entry.sentence.parts,
        "marks": [
            {
                "start": mark.start,
                "end": mark.end,
                "text": text[mark.start : mark.end],
                "code": mark.code,
                "players": mark.players,
            }
            for mark in entry.marks
        ],
    }
