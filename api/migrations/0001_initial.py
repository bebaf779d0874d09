import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('league', '__first__'),
    ]

    operations = [
        migrations.CreateModel(
            name='IdempotencyRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('key', models.CharField(max_length=255)),
                ('bearer', models.CharField(blank=True, db_default='', default='', max_length=128)),
                ('league', models.CharField(blank=True, db_default='', default='', max_length=36)),
                ('rights', models.CharField(blank=True, db_default='', default='', max_length=100)),
                ('fingerprint', models.CharField(max_length=64)),
                ('status', models.PositiveSmallIntegerField()),
                ('location', models.CharField(blank=True, max_length=500)),
                ('body', models.TextField(blank=True)),
                ('made_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now, editable=False)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'bearer', 'key'), name='api_idempotency_key_once')],
            },
        ),
    ]
