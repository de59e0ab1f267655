"""Two profiles: a few examples, always the same ones, within the suite; many fresh ones on demand.

pytest tests/fuzz --hypothesis-profile=long
"""

from hypothesis import HealthCheck, settings

LONG = 4000
settings.register_profile("long", max_examples=LONG, deadline=None, suppress_health_check=list(HealthCheck))
