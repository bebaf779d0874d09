from typing import Any
from uuid import uuid4

from django.db import migrations
from django.db.models.functions import Now

BATCH = 500


def reckon_anew(apps: Any, schema_editor: Any) -> None:
    """Have all-ins reckoned that counted with what they brought: before the flop they can be now.

    What was found of these hands goes; that of all others, exact all-ins among them, stays. Their
    leagues are counted anew, as though somebody had begun to and gone, since a step takes away what
    stored luck had added.
    """
    alias = schema_editor.connection.alias
    luck = apps.get_model("league", "Luck").objects.using(alias)
    told = luck.filter(revision__depth="full").values_list(
        "pk", "revision__hand__night__season__league_id", "shares"
    )
    found = [
        (revision, league)
        for revision, league, shares in told.iterator(chunk_size=BATCH)
        if any(numbers[4:] == [0] for numbers in shares.values())
    ]
    for first in range(0, len(found), BATCH):
        luck.filter(pk__in=[revision for revision, _ in found[first : first + BATCH]]).delete()
    states = apps.get_model("league", "StatsState").objects.using(alias)
    for league in {league for _, league in found}:
        states.filter(pk=league).update(rebuilder=uuid4(), rebuilding_until=Now())


class Migration(migrations.Migration):
    dependencies = [("league", "0019_webhook_resent")]
    operations = [migrations.RunPython(reckon_anew, migrations.RunPython.noop, elidable=True)]
