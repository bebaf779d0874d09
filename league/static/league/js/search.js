// Finds a game by a part of its name, or of another name that tables have for it.

import { plain } from "./plain.js";

const list = () => document.querySelector("#record .found");
const found = () => [...list().querySelectorAll(".choice:not([hidden]) input")];

export function filter(box) {
  const wanted = plain(box.value).trim().split(/\s+/);
  for (const choice of list().querySelectorAll(".choice")) {
    const text = plain(choice.textContent);
    choice.hidden = !wanted.every((word) => text.includes(word));
  }
  const meant = plain(box.value).trim();
  const isMeant = (choice) => names(choice).includes(meant);
  for (const part of list().querySelectorAll("section")) {
    part.hidden = !part.querySelector(".choice:not([hidden])");
    part.append(...raised(part, ".choice", isMeant));
  }
  list().prepend(...raised(list(), "section", (part) => [...part.querySelectorAll(".choice")].some(isMeant)));
  list().querySelector(".none").hidden = found().length > 0;
}

const names = (choice) => [choice.querySelector("b").textContent, ...(choice.querySelector("small")?.textContent.split(",") ?? [])].map((name) => plain(name).trim());

// What is called exactly so comes first, whatever else has it in its name; the rest as before.
function raised(box, kind, isMeant) {
  const all = [...box.querySelectorAll(`:scope > ${kind}`)];
  all.forEach((each, at) => { each.dataset.at ??= at; });
  return all.sort((one, other) => isMeant(other) - isMeant(one) || one.dataset.at - other.dataset.at);
}

// Arrows go through the games without dealing each; Enter deals the one that is reached, or the first found.
document.addEventListener("keydown", (event) => {
  const isSearch = event.target.matches?.("[data-search]");
  if (!isSearch && event.target.name !== "variant") return;
  const at = found().indexOf(event.target);
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (event.key === "Enter") found()[Math.max(at, 0)]?.click();
  else if (step && (!isSearch || event.key === "ArrowDown")) found()[Math.max(at + step, 0)]?.focus();
  else return;
  event.preventDefault();
});
