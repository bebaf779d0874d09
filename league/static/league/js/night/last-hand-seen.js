// Stores the last hand of a night that this phone has shown, and the next dealer.

const HEAD = "table:";
const attempt = (step) => { try { return step(); } catch { return null; } };

export const seen = (night) => attempt(() => JSON.parse(localStorage.getItem(HEAD + night)));

// The values are read from pages with a table (`data-table`). Pages that are older than the stored
// values are ignored.
export function see() {
  for (const { dataset: { table, last, dealer } } of document.querySelectorAll("[data-table]")) {
    if (Number(last) < (seen(table)?.last ?? 0)) continue;
    attempt(() => localStorage.setItem(HEAD + table, JSON.stringify({ last: Number(last), dealer })));
  }
}
