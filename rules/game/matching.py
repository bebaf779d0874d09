"""Whether each of several wants can have a thing of its own."""

from collections.abc import Sequence


def matches(wanted: Sequence[Sequence[int]]) -> bool:
    """Whether every want can have one of its numbers that no other has, by augmenting paths."""
    if len(wanted) > len({number for numbers in wanted for number in numbers}):
        return False
    taken: dict[int, int] = {}  # the want that has each number

    def place(want: int, tried: set[int]) -> bool:
        """Find a number for a want; another one may have to move for it."""
        for number in wanted[want]:
            if number not in tried:
                tried.add(number)
                if number not in taken or place(taken[number], tried):
                    taken[number] = want
                    return True
        return False

    return all(place(want, set()) for want in range(len(wanted)))
