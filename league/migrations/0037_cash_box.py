from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0036_side_games'),
    ]

    operations = [
        migrations.AddField(
            model_name='player',
            name='is_box',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.UniqueConstraint(condition=models.Q(('is_box', True)), fields=('league',), name='league_cash_box_once'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('is_box', False), models.Q(('is_guest', False), ('user__isnull', True)), _connector='OR'), name='league_cash_box_is_no_person'),
        ),
    ]
