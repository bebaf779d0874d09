// The next hand of a night's table, as far as this phone has seen: from the page, which may come
// from the cache, from a newer page or a saved hand, and from the outbox.

const HEAD = "table:";
const NO_HAND = { last: 0, dealt: 0 };
const attempt = (step) => { try { return step(); } catch { return null; } };
const stored = (night) => attempt(() => JSON.parse(localStorage.getItem(HEAD + night)));

// What the server knew last: the last hand's number, when the last hand was dealt, and the dealer
// after it.
const later = (one, other) => (other && other.last >= one.last ? other : one);
const see = (night, seen) => attempt(() => localStorage.setItem(HEAD + night, JSON.stringify(later(stored(night) ?? seen, seen))));
const fromPage = ({ dataset: { last, dealt, dealer } }) => ({ last: Number(last), dealt: dealt / 1000, dealer });

// Pages with a table have `data-table`.
export function seeTables() {
  for (const table of document.querySelectorAll("[data-table]")) see(table.dataset.table, fromPage(table));
}

// The table after a hand of this phone, which was dealt after the hands that this phone had seen. If
// there are others, the time of the deal decides, as on the server (nights.py: last_dealt).
function after(table, { number, dealt, fields }) {
  const last = Math.max(table.last, number);
  if (number <= table.last && dealt <= table.dealt) return { ...table, last };
  return { last, dealt: Math.max(dealt, table.dealt), dealer: dealerAfter(fields) };
}

// A hand that this phone sent is on the table before a page shows it.
document.addEventListener("hand-saved", ({ detail: { entry, answer } }) => {
  if (!entry.number) return;
  const table = after(stored(entry.night) ?? NO_HAND, entry);
  see(entry.night, { ...table, last: Math.max(table.last, answer.number) });
});

// `waiting` are the hands in the outbox. `stacks` contains the players' chips, and is empty if the
// page is older than the last hand. `seen` is the last hand that was saved.
export function nextHand(form, waiting) {
  const saved = [stored(form.dataset.night), onPage()].reduce(later, NO_HAND);
  const own = waiting.filter(({ to, number }) => number && to === form.getAttribute("action"));
  const { last, dealer, stacks = new Map() } = own.reduce(after, saved);
  return { number: last + 1, dealer, stacks, seen: saved.last };
}

function onPage() {
  const table = document.getElementById("table-now");
  const lines = [...table?.querySelectorAll("[data-stack]") ?? []];
  return table && { ...fromPage(table), stacks: new Map(lines.map(({ dataset }) => [dataset.name, Number(dataset.stack)])) };
}

// The dealer after a hand: the next player, dealt in or not, as on the server (table.py).
function dealerAfter(fields) {
  const values = new Map(fields);
  const rows = fields.map(([name]) => /^players\/(\d+)\/name$/.exec(name)?.[1]).filter(Boolean);
  const next = rows[(rows.indexOf(values.get("button")) + 1) % rows.length];
  return values.get(`players/${next}/name`) ?? "";
}
