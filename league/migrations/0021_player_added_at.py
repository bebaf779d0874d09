import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0020_early_all_ins"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="added_at",
            field=models.DateTimeField(
                default=django.utils.timezone.now, editable=False, null=True
            ),
        ),
    ]
