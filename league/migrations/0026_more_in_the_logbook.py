from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0025_logbook"),
    ]

    operations = [
        migrations.AlterField(
            model_name="logbookentry",
            name="kind",
            field=models.CharField(
                choices=[
                    ("signed-in", "Signed In"),
                    ("wrong-password", "Wrong Password"),
                    ("locked-out", "Locked Out"),
                    ("token-made", "Token Made"),
                    ("token-ended", "Token Ended"),
                    ("link-made", "Link Made"),
                    ("link-ended", "Link Ended"),
                    ("role-changed", "Role Changed"),
                    ("member-removed", "Member Removed"),
                    ("code-renewed", "Code Renewed"),
                    ("joined", "Joined"),
                    ("name-released", "Name Released"),
                    ("phone-signed-out", "Phone Signed Out"),
                    ("receipt-shared", "Receipt Shared"),
                    ("receipt-unshared", "Receipt Unshared"),
                    ("hand-shared", "Hand Shared"),
                    ("hand-unshared", "Hand Unshared"),
                    ("webhook-made", "Webhook Made"),
                    ("webhook-changed", "Webhook Changed"),
                    ("webhook-renewed", "Webhook Renewed"),
                    ("webhook-stopped", "Webhook Stopped"),
                    ("webhook-started", "Webhook Started"),
                    ("webhook-retired", "Webhook Retired"),
                    ("options-changed", "Options Changed"),
                    ("imported", "Imported"),
                    ("season-imported", "Season Imported"),
                    ("audit-failed", "Audit Failed"),
                ],
                max_length=40,
            ),
        ),
    ]
