from django.db import migrations

from league.migrations.tables import (
    calls,
    closing,
    facts,
    games,
    hands,
    nights,
    notes,
    paying,
    people,
    phones,
    rivals,
    tallies,
    webhooks,
)
from league.migrations.tables.together import CreateTogether


class Migration(migrations.Migration):
    """All that 0001 to 0025 make, in one step; what they copy in rows is not there yet."""

    initial = True

    replaces = [
        ("league", "0001_initial"),
        ("league", "0002_league"),
        ("league", "0003_house_games"),
        ("league", "0004_closing"),
        ("league", "0005_coins"),
        ("league", "0006_keys"),
        ("league", "0007_hand_links"),
        ("league", "0008_many_phones"),
        ("league", "0009_webhooks"),
        ("league", "0010_four_colours"),
        ("league", "0011_stats"),
        ("league", "0012_times_right"),
        ("league", "0013_drawings"),
        ("league", "0014_denominations"),
        ("league", "0015_full_histories"),
        ("league", "0016_rebuilding_aside"),
        ("league", "0017_unchecked"),
        ("league", "0018_league_version"),
        ("league", "0020_facts_unchecked"),
        ("league", "0024_erasure"),
        ("league", "0025_logbook"),
    ]

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("ledger", "0001_initial"),
    ]

    operations = [
        CreateTogether(
            [
                *people.TABLES,
                *nights.TABLES,
                *games.TABLES,
                *hands.TABLES,
                *closing.TABLES,
                *paying.TABLES,
                *phones.TABLES,
                *rivals.TABLES,
                *webhooks.TABLES,
                *facts.TABLES,
                *tallies.TABLES,
                *calls.TABLES,
                *notes.TABLES,
            ]
        )
    ]
