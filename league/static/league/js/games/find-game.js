// Filters a list of games by words and chips, and keeps the filter in the address.

import { fetchIndex, narrow, tap } from "./filter-games.js";

const form = document.querySelector("[data-finder]");
const box = form.querySelector("[data-find]");
const chips = [...form.querySelectorAll("[data-chip]")];
const rows = [...document.querySelectorAll(form.dataset.finder || "[data-family] li")];
const families = [...document.querySelectorAll("[data-family]")];
const folded = new Set(families.filter((family) => family instanceof HTMLDetailsElement && !family.open));

async function find() {
  // The index with the words of rules is loaded with the first search only.
  const shown = narrow(rows, box.value, chips, box.value ? await fetchIndex(form.dataset.index) : null);
  const narrows = Boolean(box.value) || chips.some((chip) => chip.checked);
  for (const family of families) {
    const left = family.querySelectorAll("li:not([hidden])").length;
    family.hidden = !left;
    family.querySelector("summary .small").textContent = left;
    if (folded.has(family)) family.open = narrows;
  }
  form.querySelector("[data-left]").textContent = shown;
  form.querySelector("[data-clear]").hidden = !narrows;
  document.getElementById("none").hidden = shown > 0;
}

function remember() {
  const asked = new URLSearchParams([...new FormData(form)].filter(([, text]) => text));
  history.replaceState(null, "", `${location.pathname}${asked.size ? `?${asked}` : ""}${location.hash}`);
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
