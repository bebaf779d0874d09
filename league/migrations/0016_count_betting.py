from typing import Any

from django.db import migrations

BATCH = 1000


def mark_histories(apps: Any, schema_editor: Any) -> None:
    """Have the hands that tell their betting counted again, each as after a correction."""
    revisions = apps.get_model("league", "Revision").objects.using(schema_editor.connection.alias)
    marks = apps.get_model("league", "StaleMark")
    told = revisions.filter(current=True, depth="full").values_list(
        "pk", "hand_id", "hand__night__season__league_id"
    )
    waiting = []
    for revision, hand, league in told.order_by("pk").iterator(chunk_size=BATCH):
        waiting.append(marks(league_id=league, hand_id=hand, revision_id=revision))
        if len(waiting) == BATCH:
            marks.objects.using(schema_editor.connection.alias).bulk_create(waiting)
            waiting = []
    marks.objects.using(schema_editor.connection.alias).bulk_create(waiting)


class Migration(migrations.Migration):
    dependencies = [("league", "0015_betting")]
    operations = [migrations.RunPython(mark_histories, migrations.RunPython.noop, elidable=True)]
