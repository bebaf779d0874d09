// The next hand of a night's table, as far as this phone has seen: from the page, which may come
// from the cache, from a newer page or a saved hand, and from the outbox.

import { pathOf } from "../common/path.js";

const HEAD = "table:";
const attempt = (step) => { try { return step(); } catch { return null; } };
const stored = (night) => attempt(() => JSON.parse(localStorage.getItem(HEAD + night)));

// Stores the last hand that this phone has seen, and the dealer after it. Older ones are ignored.
function see(night, last, dealer) {
  if (last >= (stored(night)?.last ?? 0)) attempt(() => localStorage.setItem(HEAD + night, JSON.stringify({ last, dealer })));
}

// Pages with a table have `data-table`.
export function seeTables() {
  for (const { dataset: { table, last, dealer } } of document.querySelectorAll("[data-table]")) see(table, Number(last), dealer);
}

// A hand that this phone sent is the last one before a page shows it.
document.addEventListener("hand-saved", ({ detail: { entry, answer } }) => {
  if (entry.number) see(entry.night, answer.number, dealerAfter(entry.fields));
});

// `waiting` are the hands in the outbox. `stacks` contains the players' chips, and is empty if the
// page is older than the last hand. `seen` is the last hand that was saved.
export function nextHand(form, waiting) {
  const later = (one, other) => (other && other.last >= one.last ? other : one);
  const saved = [stored(form.dataset.night), onPage()].reduce(later, { last: 0 });
  const { last, dealer, stacks = new Map() } = later(saved, ofOutbox(form, waiting));
  return { number: last + 1, dealer, stacks, seen: saved.last };
}

function onPage() {
  const table = document.getElementById("table-now");
  const lines = [...table?.querySelectorAll("[data-stack]") ?? []];
  return table && { last: Number(table.dataset.last), dealer: table.dataset.dealer, stacks: new Map(lines.map(({ dataset }) => [dataset.name, Number(dataset.stack)])) };
}

function ofOutbox(form, waiting) {
  const entry = waiting.filter(({ to, number }) => number && to === pathOf(form.action)).at(-1);
  return entry && { last: entry.number, dealer: dealerAfter(entry.fields) };
}

// The dealer after a hand: the next player, dealt in or not, as on the server (table.py).
function dealerAfter(fields) {
  const values = new Map(fields);
  const rows = fields.map(([name]) => /^players\/(\d+)\/name$/.exec(name)?.[1]).filter(Boolean);
  const next = rows[(rows.indexOf(values.get("button")) + 1) % rows.length];
  return values.get(`players/${next}/name`) ?? "";
}
