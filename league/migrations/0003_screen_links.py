import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0002_deals'),
    ]

    operations = [
        migrations.AlterField(
            model_name='logbookentry',
            name='kind',
            field=models.CharField(choices=[('signed-in', 'Signed In'), ('wrong-password', 'Wrong Password'), ('locked-out', 'Locked Out'), ('password-changed', 'Password Changed'), ('password-reset', 'Password Reset'), ('password-link-made', 'Password Link Made'), ('password-link-used', 'Password Link Used'), ('email-changed', 'Email Changed'), ('second-factor-added', 'Second Factor Added'), ('second-factor-removed', 'Second Factor Removed'), ('recovery-codes-made', 'Recovery Codes Made'), ('passkey-added', 'Passkey Added'), ('passkey-removed', 'Passkey Removed'), ('sessions-ended', 'Sessions Ended'), ('sign-in-linked', 'Sign In Linked'), ('sign-in-unlinked', 'Sign In Unlinked'), ('token-made', 'Token Made'), ('token-ended', 'Token Ended'), ('link-made', 'Link Made'), ('link-ended', 'Link Ended'), ('role-changed', 'Role Changed'), ('member-removed', 'Member Removed'), ('code-renewed', 'Code Renewed'), ('invited', 'Invited'), ('invitation-ended', 'Invitation Ended'), ('joined', 'Joined'), ('join-asked', 'Join Asked'), ('join-refused', 'Join Refused'), ('name-released', 'Name Released'), ('phone-signed-out', 'Phone Signed Out'), ('receipt-shared', 'Receipt Shared'), ('receipt-unshared', 'Receipt Unshared'), ('hand-shared', 'Hand Shared'), ('hand-unshared', 'Hand Unshared'), ('screen-shared', 'Screen Shared'), ('screen-unshared', 'Screen Unshared'), ('webhook-made', 'Webhook Made'), ('webhook-changed', 'Webhook Changed'), ('webhook-renewed', 'Webhook Renewed'), ('webhook-stopped', 'Webhook Stopped'), ('webhook-started', 'Webhook Started'), ('webhook-retired', 'Webhook Retired'), ('options-changed', 'Options Changed'), ('imported', 'Imported'), ('season-imported', 'Season Imported'), ('audit-failed', 'Audit Failed')], max_length=40),
        ),
        migrations.CreateModel(
            name='ScreenLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('shows_code', models.BooleanField(default=False)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('night', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='screen_links', to='league.night')),
            ],
        ),
    ]
