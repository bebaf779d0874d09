"""What every test may use."""

import os

from hypothesis import HealthCheck, settings

# "ci" draws the same examples every time, so that a red run means a change and not luck.
_patient = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("ci", derandomize=True, max_examples=100, **_patient)
settings.register_profile("dev", max_examples=100, **_patient)
settings.register_profile("long", max_examples=5_000, **_patient)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "dev"))
