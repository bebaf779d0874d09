// Remembers the last hand of a night that this phone has shown, and who deals next.

const HEAD = "table:";
const attempt = (step) => { try { return step(); } catch { return null; } };

export const seen = (night) => attempt(() => JSON.parse(localStorage.getItem(HEAD + night)));

// The page says it where it shows the table (`data-table`); one that is older than what was seen changes nothing.
export function see() {
  for (const { dataset: { table, last, dealer } } of document.querySelectorAll("[data-table]")) {
    if (Number(last) < (seen(table)?.last ?? 0)) continue;
    attempt(() => localStorage.setItem(HEAD + table, JSON.stringify({ last: Number(last), dealer })));
  }
}
