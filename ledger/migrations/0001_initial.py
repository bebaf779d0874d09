import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Book',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(blank=True, max_length=200)),
                ('created', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
        ),
        migrations.CreateModel(
            name='Account',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('book', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='accounts', to='ledger.book')),
                ('key', models.CharField(max_length=200)),
                ('kind', models.CharField(max_length=40)),
                ('name', models.CharField(blank=True, max_length=200)),
            ],
            options={
                'indexes': [models.Index(fields=['book', 'kind', 'key'], name='ledger_account_kind')],
                'constraints': [models.UniqueConstraint(fields=('book', 'key'), name='ledger_account_key_once')],
            },
        ),
        migrations.CreateModel(
            name='Posting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('book', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='postings', to='ledger.book')),
                ('key', models.CharField(max_length=200)),
                ('digest', models.CharField(editable=False, max_length=64)),
                ('memo', models.TextField(blank=True)),
                ('actor', models.CharField(blank=True, max_length=200)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('reverses', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reversal', to='ledger.posting')),
            ],
            options={
                'indexes': [models.Index(fields=['book', 'id'], name='ledger_posting_in_order')],
                'constraints': [models.UniqueConstraint(fields=('book', 'key'), name='ledger_posting_key_once')],
            },
        ),
        migrations.CreateModel(
            name='Transfer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('book', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='transfers', to='ledger.book')),
                ('posting', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='transfers', to='ledger.posting')),
                ('position', models.PositiveSmallIntegerField()),
                ('debit', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='debits', to='ledger.account')),
                ('credit', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='credits', to='ledger.account')),
                ('amount', models.BigIntegerField()),
                ('reverses', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reversal', to='ledger.transfer')),
            ],
            options={
                'indexes': [models.Index(fields=['debit', 'id', 'amount'], name='ledger_transfer_debits'), models.Index(fields=['credit', 'id', 'amount'], name='ledger_transfer_credits')],
                'constraints': [models.UniqueConstraint(fields=('posting', 'position'), name='ledger_transfer_position_once'), models.CheckConstraint(condition=models.Q(('amount__gte', 1), ('amount__lte', 1000000000000000)), name='ledger_transfer_amount_is_positive'), models.CheckConstraint(condition=models.Q(('debit', models.F('credit')), _negated=True), name='ledger_transfer_has_two_accounts')],
            },
        ),
    ]
