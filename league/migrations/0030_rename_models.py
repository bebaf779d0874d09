"""Give six models the names that their code and pages use.

Their tables keep their names: entries of the journal name the tables of the rows that they seal
(docs/decisions/0077-tables-keep-their-names.md).
"""

from django.db import migrations
from django.db.migrations.operations.base import Operation

TABLES = {
    "Line": ("ClosingLine", "league_line"),
    "Count": ("ChipCount", "league_count"),
    "Plan": ("PaymentPlan", "league_plan"),
    "Answer": ("NightAnswer", "league_answer"),
    "AnswerLink": ("NightAnswerLink", "league_answerlink"),
    "Push": ("PushMessage", "league_push"),
}


def operations() -> list[Operation]:
    renamed: list[Operation] = []
    for old, (new, table) in TABLES.items():
        renamed.append(migrations.AlterModelTable(old, table))
        renamed.append(migrations.RenameModel(old, new))
    return renamed


class Migration(migrations.Migration):
    dependencies = (("league", "0029_sums_of_nights"),)
    operations = (
        *operations(),
        migrations.RenameIndex(
            "PushMessage", new_name="league_pushmessage_waiting", old_name="league_push_waiting"
        ),
    )
