// Finds a game on the recording page by a part of its name or of another name, by filters, or by a
// draw. The names are in a file that the phone caches (games/finder.py).

import { fetchIndex, narrow, nearness, raised, tap } from "../games/search-matching.js";
import { plain } from "../common/ignore-accents.js";
import { draw, shake } from "../games/suggestions.js";

const picker = () => document.querySelector("#record .picker");
const list = () => picker().querySelector(".found");
const box = () => picker().querySelector("[data-search]");
const chips = () => [...picker().querySelectorAll("[data-chip]")];
const rows = () => [...list().querySelectorAll(".choice")];
const found = () => [...list().querySelectorAll(".choice:not([hidden]) input")];
let games = {};
const KINDS = ["favourite", "loved", "dealt", "lately"];

// Computed once for each list and its stars: the index, and the league's data about its games.
async function learn() {
  for (const chip of chips()) if (chip.name === "players") seat(chip);
  if (list().learnt === list().dataset.favourite) return;
  games = (await fetchIndex(list().dataset.index)) ?? {};
  const known = KINDS.map((kind) => [kind, new Set(list().dataset[kind]?.split(" "))]);
  for (const row of rows()) {
    const { value } = row.querySelector("input");
    const [also, is] = row.dataset.is ? ["", row.dataset.is] : games[value] ?? ["", "2-8 0 house"];
    row.dataset.is = [...is.split(" ").filter((kind) => !KINDS.includes(kind)), ...known.filter(([, slugs]) => slugs.has(value)).map(([kind]) => kind)].join(" ");
    if (also) row.dataset.also = also;
  }
  list().learnt = list().dataset.favourite;
}

const seated = () => document.querySelectorAll("#record .seat:not([data-state=away])").length;

// The filter chip for the table: games for the number of players who are dealt in now.
function seat(chip) {
  chip.value = String(seated());
  chip.nextSibling.data = ` ${chip.value} `;
}

let narrowed = Promise.resolve();
export const filter = () => (narrowed = narrowed.then(learn).then(leave));

function leave() {
  const focused = document.activeElement;
  const shown = narrow(rows(), box().value, chips(), games);
  const wanted = plain(box().value).trim();
  for (const row of rows()) if (wanted && !row.hidden) callAlso(row);
  const meant = (choice) => (choice.hidden ? 0 : nearness(choice, box().value));
  for (const part of list().querySelectorAll("section")) {
    part.hidden = !part.querySelector(".choice:not([hidden])");
    part.append(...raised(part, ".choice", meant));
  }
  list().prepend(...raised(list(), "section", (part) => Math.max(...[...part.querySelectorAll(".choice")].map(meant))));
  list().querySelector(".none").hidden = shown > 0;
  picker().querySelector("[data-clear]").hidden = !wanted && !chips().some((chip) => chip.checked);
  if (list().contains(focused)) focused.focus({ preventScroll: true }); // moved elements lose the focus
}

// Shows the name by which a game was found.
function callAlso(row) {
  if (!row.dataset.also || row.querySelector("small")) return;
  row.append(Object.assign(document.createElement("small"), { textContent: row.dataset.also }));
}

// Keys in the search box: the down arrow moves to the first game, and Enter chooses it.
export const reach = (key) => filter().then(() => {
  found()[0]?.focus();
  if (key === "Enter") found()[0]?.click();
});

// The arrow keys move through the games, and Enter chooses a game.
document.addEventListener("keydown", (event) => {
  if (event.target.name !== "variant") return;
  const at = found().indexOf(event.target);
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (event.key === "Enter") narrowed.then(() => found()[at]?.click());
  else if (step) found()[Math.max(at + step, 0)]?.focus();
  else return;
  event.preventDefault();
});

// The next hand starts with the complete list.
export function forgetSearch() {
  box().value = "";
  for (const chip of chips()) chip.checked = false;
  document.getElementById("shall").hidden = true;
  picker().querySelector("[data-suggest]").setAttribute("aria-expanded", "false");
  return filter();
}

// Handles the buttons above the list: clear, suggest, suggest again.
export async function press(button) {
  if (button.matches("[data-clear]")) {
    forgetSearch();
    box().focus();
    return;
  }
  await learn();
  const shall = document.getElementById("shall");
  const suggestions = shall.querySelector("[data-suggestions]");
  if (button.matches("[data-shake]")) shake(suggestions);
  else shall.hidden = !shall.hidden;
  picker().querySelector("[data-suggest]").setAttribute("aria-expanded", String(!shall.hidden));
  draw(suggestions, rows(), seated(), ({ slug }) => Object.assign(document.createElement("button"), { type: "button", value: slug }));
}

// A suggested game is chosen in the same way as a row.
export const pick = (slug) => rows().map((row) => row.querySelector("input")).find(({ value }) => value === slug)?.click();

export function tapped(chip) {
  tap(chip, chips());
  filter();
}
