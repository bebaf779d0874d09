from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def drop_unused_function(apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Drop the trigger function that let names change, with its triggers.

    `post_migrate` installs the triggers again, without it.
    """
    if schema_editor.connection.vendor == 'postgresql':
        schema_editor.execute('DROP FUNCTION IF EXISTS ledger_fixed CASCADE')


class Migration(migrations.Migration):

    dependencies = [
        ('ledger', '0002_disposable_books'),
    ]

    operations = [
        migrations.RemoveField(
            model_name='account',
            name='name',
        ),
        migrations.RunPython(drop_unused_function, migrations.RunPython.noop),
    ]
