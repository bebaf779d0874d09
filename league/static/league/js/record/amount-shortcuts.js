// Offers the amounts of the last hand on the keypad, and a player's whole stack. One tap enters an
// amount. The next step follows.

import { words } from "../controls/cards.js";
import { button, extend, leads, set, step } from "../controls/chip-keypad.js";
import { setState, stackOf } from "./players-and-pot.js";

const row = document.createElement("div");
const form = () => document.getElementById("record");
const common = (field) => ["all_paid", "showed_paid"].includes(field.id);
let drawn = "";

export function offer() {
  if (row.className) return;
  row.className = "recent";
  extend(row, draw);
  row.parentElement.className = "with-recent";
}

function draw(field) {
  const seat = field.closest(".top-line") && field.closest(".seat");
  const stack = seat ? stackOf(seat) : 0;
  const amounts = seat || common(field) ? form().dataset.recent.split(" ").filter(Boolean) : [];
  row.hidden = !amounts.length && !stack;
  if (drawn === `${field.id} ${amounts} ${stack}`) return;
  drawn = `${field.id} ${amounts} ${stack}`;
  const keys = amounts.map((chips) => button("key tool", chips, () => enter(field, chips)));
  if (stack) keys.push(button("key tool", `${words.fates["all-in"]} ${stack}`, () => allIn(field, seat)));
  row.replaceChildren(...(amounts.length ? [words.recent] : []), ...keys);
}

function enter(field, chips) {
  set(chips);
  if (common(field) || leads()) step(1);
}

function allIn(field, seat) {
  set("");
  setState(seat, "all-in");
  enter(field, String(stackOf(seat)));
}
