"""What each process counts about its own work; shown by `config.observability.monitoring`."""

from prometheus_client import Counter, Histogram

SETTLING = Histogram(
    "dealers_choice_settle_seconds",
    "How long the rules took over one record.",
    buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1),
)
HANDS = Counter(
    "dealers_choice_hands",
    "Hands that were sent, by what came of them.",
    ["outcome"],
)
