from typing import Any

import django.db.models.deletion
from django.db import migrations, models

BATCH = 1000


def mark_hands(apps: Any, schema_editor: Any) -> None:
    """Mark all hands, so that workers count them: the sums of seasons become sums of nights."""
    alias = schema_editor.connection.alias
    marks = apps.get_model("league", "StaleMark").objects.using(alias)
    revisions = apps.get_model("league", "Revision").objects.using(alias).filter(current=True)
    hands = revisions.values_list("pk", "hand", "hand__night__season__league")
    waiting = []
    for revision, hand, league in hands.order_by("hand__made_at").iterator(chunk_size=BATCH):
        waiting.append(marks.model(league_id=league, hand_id=hand, revision_id=revision))
    marks.bulk_create(waiting, batch_size=BATCH)


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0028_import_jobs"),
    ]

    operations = [
        migrations.DeleteModel(
            name="PlayerTally",
        ),
        migrations.DeleteModel(
            name="BettingTally",
        ),
        migrations.DeleteModel(
            name="DeclareTally",
        ),
        migrations.DeleteModel(
            name="CallTally",
        ),
        migrations.DeleteModel(
            name="DealerTally",
        ),
        migrations.DeleteModel(
            name="SeatTally",
        ),
        migrations.DeleteModel(
            name="FlowTally",
        ),
        migrations.DeleteModel(
            name="NightTally",
        ),
        migrations.DeleteModel(
            name="LuckTally",
        ),
        migrations.DeleteModel(
            name="AllInTally",
        ),
        migrations.DeleteModel(
            name="ChoiceTally",
        ),
        migrations.CreateModel(
            name="PlayerTally",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "night",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.night",
                    ),
                ),
                ("verified", models.BooleanField()),
                ("hands", models.BigIntegerField()),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.player",
                    ),
                ),
                ("game", models.CharField(max_length=200)),
                ("net", models.BigIntegerField()),
                ("put", models.BigIntegerField()),
                ("won", models.BigIntegerField()),
                ("showdowns", models.BigIntegerField()),
                ("showdowns_won", models.BigIntegerField()),
                ("highs", models.BigIntegerField()),
                ("highs_won", models.BigIntegerField()),
                ("lows", models.BigIntegerField()),
                ("lows_won", models.BigIntegerField()),
                ("splits", models.BigIntegerField()),
                ("scoops", models.BigIntegerField()),
                ("mistakes", models.BigIntegerField()),
                ("moved", models.BigIntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("night", "player", "game", "verified"),
                        name="league_player_tally_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="BettingTally",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "night",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.night",
                    ),
                ),
                ("verified", models.BooleanField()),
                ("hands", models.BigIntegerField()),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.player",
                    ),
                ),
                ("game", models.CharField(max_length=200)),
                ("position", models.PositiveSmallIntegerField()),
                ("choices", models.BigIntegerField()),
                ("entered", models.BigIntegerField()),
                ("raised", models.BigIntegerField()),
                ("three_bet_choices", models.BigIntegerField()),
                ("three_bets", models.BigIntegerField()),
                ("saw_second", models.BigIntegerField()),
                ("stayed", models.BigIntegerField()),
                ("stayed_won", models.BigIntegerField()),
                ("bets", models.BigIntegerField()),
                ("calls", models.BigIntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("night", "player", "game", "position", "verified"),
                        name="league_betting_tally_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DeclareTally",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "night",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.night",
                    ),
                ),
                ("verified", models.BooleanField()),
                ("hands", models.BigIntegerField()),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.player",
                    ),
                ),
                ("way", models.CharField(max_length=20)),
                ("times_right", models.BigIntegerField()),
                ("net", models.BigIntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("night", "player", "way", "verified"),
                        name="league_declare_tally_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CallTally",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "night",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.night",
                    ),
                ),
                ("verified", models.BooleanField()),
                ("hands", models.BigIntegerField()),
                (
                    "dealer",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.player",
                    ),
                ),
                ("game", models.CharField(max_length=200)),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.player",
                    ),
                ),
                ("net", models.BigIntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("night", "player", "dealer", "game", "verified"),
                        name="league_call_tally_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="DealerTally",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "night",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.night",
                    ),
                ),
                ("verified", models.BooleanField()),
                ("hands", models.BigIntegerField()),
                (
                    "dealer",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.player",
                    ),
                ),
                ("game", models.CharField(max_length=200)),
                ("pot", models.BigIntegerField()),
                ("carried", models.BigIntegerField()),
                ("carry", models.BigIntegerField()),
                ("carries", models.BigIntegerField()),
                ("showdowns", models.BigIntegerField()),
                ("mistakes", models.BigIntegerField()),
                ("moved", models.BigIntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("night", "dealer", "game", "verified"),
                        name="league_dealer_tally_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SeatTally",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "night",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.night",
                    ),
                ),
                ("verified", models.BooleanField()),
                ("hands", models.BigIntegerField()),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.player",
                    ),
                ),
                ("position", models.PositiveSmallIntegerField()),
                ("net", models.BigIntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("night", "player", "position", "verified"),
                        name="league_seat_tally_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="FlowTally",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "night",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.night",
                    ),
                ),
                ("verified", models.BooleanField()),
                ("hands", models.BigIntegerField()),
                (
                    "loser",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.player",
                    ),
                ),
                (
                    "winner",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.player",
                    ),
                ),
                ("chips", models.BigIntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("night", "loser", "winner", "verified"),
                        name="league_flow_tally_once",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="NightTally",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "night",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.night",
                    ),
                ),
                ("verified", models.BooleanField()),
                ("hands", models.BigIntegerField()),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.player",
                    ),
                ),
                ("net", models.BigIntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("night", "player", "verified"), name="league_night_tally_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="LuckTally",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "night",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.night",
                    ),
                ),
                ("verified", models.BooleanField()),
                ("hands", models.BigIntegerField()),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.player",
                    ),
                ),
                ("won", models.BigIntegerField()),
                ("expected", models.BigIntegerField()),
                ("variance", models.BigIntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("night", "player", "verified"), name="league_luck_tally_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AllInTally",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "night",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.night",
                    ),
                ),
                ("verified", models.BooleanField()),
                ("hands", models.BigIntegerField()),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.player",
                    ),
                ),
                ("won", models.BigIntegerField()),
                ("adjusted", models.BigIntegerField()),
                ("exact", models.BigIntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("night", "player", "verified"), name="league_all_in_tally_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ChoiceTally",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "night",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.night",
                    ),
                ),
                ("verified", models.BooleanField()),
                ("hands", models.BigIntegerField()),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="league.player",
                    ),
                ),
                ("game", models.CharField(max_length=200)),
                ("choice", models.CharField(max_length=30)),
                ("net", models.BigIntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("night", "player", "game", "choice", "verified"),
                        name="league_choice_tally_once",
                    )
                ],
            },
        ),
        migrations.RemoveField(
            model_name="statsstate",
            name="rebuilder",
        ),
        migrations.RemoveField(
            model_name="statsstate",
            name="rebuilding_until",
        ),
        migrations.RunPython(mark_hands, migrations.RunPython.noop, elidable=True),
    ]
