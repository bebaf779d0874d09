from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0011_stats"),
    ]

    operations = [
        migrations.RenameField("declaretally", "right", "times_right"),
    ]
