// Counts a stack by colour. Stores the pieces of each value for a field, which contains their sum.

const counts = new WeakMap();
const sum = (pieces) => [...pieces].reduce((total, [value, number]) => total + value * number, 0);

// Returns no pieces if the field no longer contains their sum.
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
