from typing import Any

from django.db import migrations, models
from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Coalesce


def copy_from_leagues(apps: Any, _schema: Any) -> None:
    """What was played and planned so far was worth what the league still says."""
    night, plan = apps.get_model("league", "Night"), apps.get_model("league", "Plan")
    season = apps.get_model("league", "Season").objects.filter(pk=OuterRef("season"))
    of_league = season.annotate(value=F("league__chip_value"), coin=F("league__currency"))
    night.objects.update(currency=Subquery(of_league.values("coin")))
    of_night = night.objects.filter(closings=OuterRef("closing")).values("chip_value")
    plan.objects.update(
        currency=Subquery(of_league.values("coin")),
        chip_value=Coalesce(Subquery(of_night), Subquery(of_league.values("value"))),
    )


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0004_closing"),
    ]

    operations = [
        migrations.AddField(
            model_name="night",
            name="currency",
            field=models.CharField(default="USD", max_length=3),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="plan",
            name="chip_value",
            field=models.BigIntegerField(default=1),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="plan",
            name="currency",
            field=models.CharField(default="USD", max_length=3),
            preserve_default=False,
        ),
        migrations.RunPython(copy_from_leagues, migrations.RunPython.noop),
    ]
