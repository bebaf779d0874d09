"""How surely a mean is not nothing: Student's t over nights, and Holm's correction for many.

Nights are what is drawn by chance, not hands: hands of a night share its players, its stakes and
its mood. Sources: Student, The probable error of a mean, Biometrika 6 (1908); Holm, A simple
sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6 (1979), which
holds however the tests depend on each other; Abramowitz and Stegun 26.7.3 and 26.7.4.
"""

from collections.abc import Sequence
from math import atan, cos, pi, sin, sqrt


def chance_of(count: int, total: float, squares: float) -> float:
    """Return how often chance alone gives a mean so far from zero, either way.

    Of so many numbers, two at least, with this sum and sum of squares.
    """
    mean = total / count
    variance = (squares - total * mean) / (count - 1)
    if not mean:
        return 1.0
    # equal numbers leave nothing to measure by; that all have one sign is what is left (sign test)
    if variance <= 1e-12 * mean * mean:
        return 2.0 ** (1 - count)
    return outside(mean / sqrt(variance / count), count - 1)


def outside(t: float, freedom: int) -> float:
    """Return how much of Student's distribution lies farther from zero than t."""
    angle = atan(abs(t) / sqrt(freedom))
    step = cos(angle) ** 2
    term = whole = cos(angle) if freedom % 2 else 1.0
    first = 3 if freedom % 2 else 2
    for n in range(first, freedom - 1, 2):
        term *= step * (n - 1) / n
        whole += term
    if freedom % 2 == 0:
        return max(0.0, 1 - sin(angle) * whole)
    more = sin(angle) * whole if freedom > 1 else 0.0
    return max(0.0, 1 - 2 / pi * (angle + more))


def corrected(chances: Sequence[float]) -> list[float]:
    """Return the chances for so many questions asked at once, each in its place (Holm)."""
    found, least = [0.0] * len(chances), 0.0
    for rank, at in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        least = max(least, min(1.0, (len(chances) - rank) * chances[at]))
        found[at] = least
    return found
