// Filters a list of games by words and chips, and keeps the filter in the address.

import { fetchIndex, isNamed, narrow, nearness, raised, tap } from "./search-matching.js";

const form = document.querySelector("[data-finder]");
const box = form.querySelector("[data-find]");
const chips = [...form.querySelectorAll("[data-chip]")];
const rows = [...document.querySelectorAll(form.dataset.finder || "[data-own] li, [data-family] li")];
const families = [...document.querySelectorAll("[data-family]")];
const folded = new Set(families.filter((family) => family instanceof HTMLDetailsElement && !family.open));

let isSorted = false;

export async function find() {
  const text = box.value;
  // The index with the words of rules is only needed if no name matches.
  const index = isNamed(rows, text) ? null : await fetchIndex(form.dataset.index);
  if (text !== box.value) return; // a later search has the answer
  const shown = narrow(rows, text, chips, index);
  const narrows = Boolean(text) || chips.some((chip) => chip.checked);
  if (text || isSorted) sort(text);
  for (const family of families) {
    const left = family.querySelectorAll("li:not([hidden])").length;
    family.hidden = !left;
    family.querySelector("summary .small").textContent = left;
    if (folded.has(family)) family.open = narrows;
  }
  form.querySelector("[data-left]").textContent = shown;
  const noun = form.querySelector("[data-one]");
  noun.textContent = shown === 1 ? noun.dataset.one : noun.dataset.many;
  form.querySelector("[data-clear]").hidden = !narrows;
  document.getElementById("none").hidden = shown > 0;
}

function sort(text) {
  const near = new Map(rows.map((row) => [row, row.hidden ? 0 : nearness(row, text)]));
  for (const list of new Set(rows.map((row) => row.parentElement))) list.append(...raised(list, "li", (row) => near.get(row)));
  const nearest = (family) => Math.max(...[...family.querySelectorAll("li")].map((row) => near.get(row) ?? 0));
  const box = families[0].parentElement;
  box.append(...raised(box, "[data-family]", nearest));
  isSorted = Boolean(text);
}

function remember() {
  const asked = new URLSearchParams([...new FormData(form)].filter(([, text]) => text));
  history.replaceState(null, "", location.pathname + (asked.size ? `?${asked}` : "") + location.hash);
}

form.addEventListener("input", ({ target }) => {
  if (target.matches("[data-chip]")) tap(target, chips);
  find();
});
form.addEventListener("change", remember);
form.addEventListener("submit", (event) => { event.preventDefault(); remember(); box.blur(); });
form.querySelector("[data-clear]").addEventListener("click", (event) => {
  event.preventDefault();
  box.value = "";
  for (const chip of chips) chip.checked = false;
  find();
  remember();
  box.focus();
});
find();
