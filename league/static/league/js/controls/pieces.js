// Counts a stack by colour: the pieces of each value in a field, which contains their sum.

const counts = new WeakMap();
const sum = (pieces) => [...pieces].reduce((total, [value, number]) => total + value * number, 0);

// No pieces if the field's number was entered in another way.
export function piecesIn(field) {
  const pieces = counts.get(field);
  return pieces && String(sum(pieces)) === field.value ? pieces : new Map();
}

// Returns the new sum.
export function countPieces(field, value, number) {
  const pieces = new Map(piecesIn(field)).set(value, number);
  counts.set(field, pieces);
  return String(sum(pieces));
}
