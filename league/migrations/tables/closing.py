"""Cash-outs, counts, closings and their receipts."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import league.models.nights

TABLES = [
    migrations.CreateModel(
        name="CashOut",
        fields=[
            ("id", models.UUIDField(primary_key=True, serialize=False)),
            ("chips", models.BigIntegerField()),
            ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            (
                "banker",
                models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="+",
                    to="league.player",
                ),
            ),
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
                "night",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="cash_outs",
                    to="league.night",
                ),
            ),
            (
                "player",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="cash_outs",
                    to="league.player",
                ),
            ),
            (
                "posting",
                models.OneToOneField(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="cash_out",
                    to="ledger.posting",
                ),
            ),
        ],
        options={
            "constraints": [
                models.CheckConstraint(
                    condition=models.Q(("chips__gte", 1), ("chips__lte", 1000000000000)),
                    name="league_cash_out_is_positive",
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="Closing",
        fields=[
            ("id", models.UUIDField(primary_key=True, serialize=False)),
            ("number", models.PositiveIntegerField()),
            ("sequence", models.PositiveIntegerField()),
            ("by_hands", models.BooleanField(default=False)),
            ("kept", models.JSONField(default=league.models.nights.no_pots)),
            ("upto", models.BigIntegerField(default=0)),
            ("previous_hash", models.CharField(blank=True, max_length=64)),
            ("hash", models.CharField(max_length=64)),
            ("reason", models.CharField(blank=True, max_length=500)),
            ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            (
                "league",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="closings",
                    to="league.league",
                ),
            ),
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
                "night",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="closings",
                    to="league.night",
                ),
            ),
            (
                "posting",
                models.OneToOneField(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="closing",
                    to="ledger.posting",
                ),
            ),
        ],
        options={
            "constraints": [
                models.UniqueConstraint(
                    fields=("night", "number"), name="league_closing_number_once"
                ),
                models.UniqueConstraint(
                    fields=("league", "sequence"), name="league_closing_sequence_once"
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="Count",
        fields=[
            ("id", models.UUIDField(primary_key=True, serialize=False)),
            ("number", models.PositiveIntegerField()),
            ("chips", models.BigIntegerField(null=True)),
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
                "night",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="counts",
                    to="league.night",
                ),
            ),
            (
                "player",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="counts",
                    to="league.player",
                ),
            ),
        ],
        options={
            "constraints": [
                models.UniqueConstraint(
                    fields=("night", "number"), name="league_count_number_once"
                ),
                models.CheckConstraint(
                    condition=models.Q(
                        ("chips__isnull", True),
                        models.Q(("chips__gte", 0), ("chips__lte", 1000000000000)),
                        _connector="OR",
                    ),
                    name="league_count_is_not_negative",
                ),
            ],
        },
    ),
    migrations.CreateModel(
        name="Line",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("position", models.PositiveSmallIntegerField()),
            ("bought", models.BigIntegerField(default=0)),
            ("cashed", models.BigIntegerField(default=0)),
            ("stack", models.BigIntegerField(default=0)),
            ("back", models.BigIntegerField(default=0)),
            ("counted", models.BigIntegerField(null=True)),
            ("put_right", models.BigIntegerField(default=0)),
            ("bears", models.BigIntegerField(default=0)),
            ("cash", models.BigIntegerField(default=0)),
            ("settles", models.BigIntegerField(default=0)),
            (
                "closing",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="lines",
                    to="league.closing",
                ),
            ),
            (
                "player",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="lines",
                    to="league.player",
                ),
            ),
        ],
        options={
            "constraints": [
                models.UniqueConstraint(
                    fields=("closing", "player"), name="league_line_player_once"
                )
            ],
        },
    ),
    migrations.CreateModel(
        name="ReceiptLink",
        fields=[
            (
                "id",
                models.BigAutoField(
                    auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                ),
            ),
            ("token_hash", models.CharField(max_length=64, unique=True)),
            ("made_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ("revoked_at", models.DateTimeField(null=True)),
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
                "night",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.PROTECT,
                    related_name="receipt_links",
                    to="league.night",
                ),
            ),
        ],
        options={
            "indexes": [
                models.Index(
                    condition=models.Q(("revoked_at", None)),
                    fields=["night"],
                    name="league_receipt_links_open",
                )
            ],
        },
    ),
]
