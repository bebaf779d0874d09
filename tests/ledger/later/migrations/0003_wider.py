from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ledger", "0002_disposable_books")]

    operations = [
        migrations.AlterField("book", "name", models.CharField(max_length=250, blank=True)),
        migrations.AlterField("account", "name", models.CharField(max_length=250, blank=True)),
        migrations.AlterField("posting", "actor", models.CharField(max_length=250, blank=True)),
        migrations.AlterField("transfer", "position", models.PositiveIntegerField()),
    ]
