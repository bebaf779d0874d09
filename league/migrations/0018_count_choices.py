from typing import Any
from uuid import uuid4

from django.db import migrations
from django.db.models.functions import Now


def count_anew(apps: Any, schema_editor: Any) -> None:
    """Have every league counted anew, as though somebody had begun to and gone.

    A mark on each hand would not do: a step takes away what stored facts had added, and of these
    tables they had added nothing. The luck of told betting is found again, with what is new in it.
    """
    alias = schema_editor.connection.alias
    apps.get_model("league", "Luck").objects.using(alias).filter(revision__depth="full").delete()
    states = apps.get_model("league", "StatsState").objects.using(alias)
    states.update(rebuilder=uuid4(), rebuilding_until=Now())


class Migration(migrations.Migration):
    dependencies = [("league", "0017_choices")]
    operations = [migrations.RunPython(count_anew, migrations.RunPython.noop, elidable=True)]
