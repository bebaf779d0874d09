from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ledger", "0003_remove_account_name")]

    operations = [
        migrations.AlterField("book", "name", models.CharField(max_length=250, blank=True)),
        migrations.AlterField("account", "kind", models.CharField(max_length=50)),
        migrations.AlterField("posting", "actor", models.CharField(max_length=250, blank=True)),
        migrations.AlterField("transfer", "position", models.PositiveIntegerField()),
    ]
