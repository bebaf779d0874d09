"""A league's house rules: sentences from its options, its own words, and irregularities."""

from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.fields import OutputSerializer, RowSerializer, created_field
from api.http.resource import Resource
from api.openapi.schema import operation
from league.access import Action, find_league
from league.house_rules import current_rules, irregularities, option_sentences, rule_history
from league.models import HouseRule


class HouseRuleSectionSerializer(OutputSerializer):
    """Sentences that follow from the rules of the games and the league's settings."""

    title = serializers.CharField()
    sentences = serializers.ListField(child=serializers.CharField())


class IrregularitySerializer(OutputSerializer):
    """What to do when something goes wrong. `own_ruling` replaces the usual `ruling` unless empty.

    `source_url` is empty if the source has no page.
    """

    id = serializers.CharField()
    title = serializers.CharField()
    ruling = serializers.CharField()
    source_name = serializers.CharField()
    source_url = serializers.CharField()
    own_ruling = serializers.CharField()


class HouseRuleVersionSerializer(RowSerializer[HouseRule]):
    """A version of the league's own words on an irregularity, or on the rest if `topic` is empty.

    An empty text removes the words.
    """

    created_at = created_field()

    class Meta:
        model = HouseRule
        fields = ("id", "topic", "number", "text", "created_at")


class HouseRulesSerializer(OutputSerializer):
    """House rules. `own_rules` are the league's own, and `history` the latest versions."""

    own_rules = serializers.ListField(child=serializers.CharField())
    sections = HouseRuleSectionSerializer(many=True)
    irregularities = IrregularitySerializer(many=True)
    history = HouseRuleVersionSerializer(many=True)


class HouseRules(Resource):
    @operation("get_house_rules", "A league's house rules", HouseRulesSerializer)
    def get(self, request: Request, league_id: UUID) -> Response:
        league = find_league(self.visitor, Action.VIEW, league_id)
        own = {topic: rule.text for topic, rule in current_rules(league).items()}
        cases = [
            {
                "id": each.id,
                "title": each.title,
                "ruling": each.ruling,
                "source_name": each.source,
                "source_url": each.address,
                "own_ruling": own.get(each.id, ""),
            }
            for each in irregularities()
        ]
        rules = {
            "own_rules": own.get("", "").splitlines(),
            "sections": option_sentences(league),
            "irregularities": cases,
            "history": rule_history(league),
        }
        return Response(self.serialize(HouseRulesSerializer, rules))
