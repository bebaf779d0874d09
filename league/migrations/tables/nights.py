"""Seasons, nights, seats and buy-ins."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import league.models.nights

TABLES = [
    migrations.CreateModel(
        name="Night",
        fields=[
            (
                "id",
                models.UUIDField(
                    default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                ),
            ),
            ("number", models.PositiveIntegerField()),
            ("name", models.CharField(blank=True, max_length=60)),
            ("started_at", models.DateTimeField(default=django.utils.timezone.now)),
            ("ended_at", models.DateTimeField(blank=True, null=True)),
            (
                "state",
                models.CharField(
                    choices=[("open", "Open"), ("closed", "Closed")], default="open", max_length=20
                ),
            ),
            ("chip_value", models.BigIntegerField()),
            ("usual_buy_in", models.BigIntegerField()),
            (
                "season",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="nights",
                    to="league.season",
                ),
            ),
            ("opening_pots", models.JSONField(blank=True, default=league.models.nights.no_pots)),
            ("currency", models.CharField(max_length=3)),
            ("version", models.PositiveBigIntegerField(default=0, editable=False)),
        ],
        options={
            "constraints": [
                models.UniqueConstraint(
                    fields=("season", "number"), name="league_night_number_once"
                ),
                models.CheckConstraint(
                    condition=models.Q(("chip_value__gte", 1), ("chip_value__lte", 1000000000000)),
                    name="league_night_chip_is_worth_something",
                ),
                models.CheckConstraint(
                    condition=models.Q(
                        ("usual_buy_in__gte", 1), ("usual_buy_in__lte", 1000000000000)
                    ),
                    name="league_night_buy_in_is_positive",
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="BuyIn",
        fields=[
            ("id", models.UUIDField(primary_key=True, serialize=False)),
            ("chips", models.BigIntegerField()),
            ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            (
                "made_by",
                models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.SET_NULL,
                    related_name="+",
                    to=settings.AUTH_USER_MODEL,
                ),
            ),
            (
                "posting",
                models.OneToOneField(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="buy_in",
                    to="ledger.posting",
                ),
            ),
            (
                "night",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="buy_ins",
                    to="league.night",
                ),
            ),
            (
                "player",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="buy_ins",
                    to="league.player",
                ),
            ),
            (
                "banker",
                models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="+",
                    to="league.player",
                ),
            ),
        ],
        options={
            "constraints": [
                models.CheckConstraint(
                    condition=models.Q(("chips__gte", 1), ("chips__lte", 1000000000000)),
                    name="league_buy_in_is_positive",
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="Season",
        fields=[
            (
                "id",
                models.UUIDField(
                    default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                ),
            ),
            ("name", models.CharField(max_length=60)),
            ("starts_on", models.DateField()),
            ("ends_on", models.DateField(blank=True, null=True)),
            (
                "league",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="seasons",
                    to="league.league",
                ),
            ),
            ("best_nights", models.PositiveSmallIntegerField(blank=True, null=True)),
            ("points", models.JSONField(blank=True, default=league.models.nights.no_points)),
            (
                "scoring",
                models.CharField(
                    choices=[("net", "Net"), ("places", "Places")], default="net", max_length=20
                ),
            ),
        ],
        options={
            "constraints": [
                models.UniqueConstraint(fields=("league", "name"), name="league_season_name_once"),
                models.CheckConstraint(
                    condition=models.Q(
                        ("ends_on__isnull", True),
                        ("ends_on__gte", models.F("starts_on")),
                        _connector="OR",
                    ),
                    name="league_season_ends_after_it_starts",
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="Seat",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("position", models.PositiveSmallIntegerField()),
            ("joined_at", models.DateTimeField(default=django.utils.timezone.now)),
            ("left_at", models.DateTimeField(blank=True, null=True)),
            (
                "night",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="seats",
                    to="league.night",
                ),
            ),
            (
                "player",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="seats",
                    to="league.player",
                ),
            ),
        ],
        options={
            "constraints": [
                models.UniqueConstraint(fields=("night", "player"), name="league_seat_player_once"),
                models.UniqueConstraint(
                    condition=models.Q(("left_at__isnull", True)),
                    fields=("night", "position"),
                    name="league_seat_taken_by_one",
                ),
            ],
        },
    ),
]
