"""The podium of a picture: the first three, each on a block."""

from collections.abc import Sequence
from dataclasses import dataclass

from league.hands.pictures import fitted

# Of the places: left edge, height of the block. The template draws them as wide as here.
BLOCKS = ((390, 178), (80, 128), (700, 92))
BLOCK_WIDTH, BLOCK_FOOT = 300, 532


@dataclass(frozen=True, slots=True)
class Block:
    """A place on the podium."""

    x: int
    y: int
    height: int
    place: int
    name: str
    net: str


def blocks(podium: Sequence[tuple[int, str, int]]) -> list[Block]:
    """Return the blocks of the first of these (place, name, net)."""
    return [_block(at, *each) for at, each in enumerate(podium[: len(BLOCKS)])]


def with_sign(chips: int) -> str:
    """Return the chips with their sign, as pages and pictures show them."""
    return f"{chips:+,}".replace("-", "\u2212") if chips else "0"


def _block(at: int, place: int, name: str, net: int) -> Block:
    x, height = BLOCKS[at]
    y = BLOCK_FOOT - height
    return Block(x, y, height, place, fitted(name, 42, BLOCK_WIDTH), with_sign(net))
