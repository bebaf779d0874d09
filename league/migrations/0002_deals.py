import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import league.models.games


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Deal',
            fields=[
                ('id', models.UUIDField(primary_key=True, serialize=False)),
                ('variant', models.CharField(max_length=200)),
                ('modifiers', models.JSONField(blank=True, default=league.models.games.no_words)),
                ('options', models.JSONField(blank=True, default=league.models.games.no_choices)),
                ('stage', models.PositiveSmallIntegerField(default=0)),
                ('revealed_at', models.DateTimeField(null=True)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('dealer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.player')),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('night', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='deal', to='league.night')),
            ],
        ),
        migrations.CreateModel(
            name='DealtPlayer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField()),
                ('state', models.CharField(choices=[('in', 'In'), ('folded', 'Folded'), ('late', 'Late'), ('mucked', 'Mucked'), ('all-in', 'All In'), ('away', 'Away')], default='in', max_length=20)),
                ('declaration', models.TextField(blank=True)),
                ('deal', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='players', to='league.deal')),
                ('declared_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.player')),
                ('state_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('deal', 'player'), name='league_dealt_in_once')],
            },
        ),
        migrations.CreateModel(
            name='ShownCards',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('cards', models.JSONField(default=league.models.games.no_choices)),
                ('told_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('deal', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='shown', to='league.deal')),
                ('player', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.player')),
                ('told_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('deal', 'player', 'told_by'), name='league_shown_cards_once_each'), models.UniqueConstraint(condition=models.Q(('player__isnull', True)), fields=('deal', 'told_by'), name='league_shown_board_once_each')],
            },
        ),
    ]
