// Counts chips on a phone: one keypad moves from player to player and shows the total and the
// difference.

import { words } from "../controls/cards.js";
import { button, extend, open, set, step } from "../controls/chip-keypad.js";
import { isSheetOpen } from "../controls/bottom-sheet.js";

const FIELD = "form[data-chips] input[data-chips]";
const line = document.createElement("div");
const row = document.createElement("div");
const same = button("key", "", () => { set(same.value); step(1); });
const next = button("key", words.next, () => step(1));
line.dataset.sum = "";
row.className = "pad counted";
row.append(same, next);
extend(row, ({ dataset: { expected } }) => {
  same.value = expected;
  same.textContent = `= ${expected}`;
  same.ariaLabel = words.same.replace("{chips}", expected);
});
row.parentElement.prepend(line);

// The difference from the server is also shown in the bar and the sheet.
function copyDifference() {
  const sum = document.querySelector("#difference .sum");
  for (const place of document.querySelectorAll("[data-sum]")) place.replaceChildren(sum.cloneNode(true));
}

document.addEventListener("click", ({ target }) => { if (target.matches(FIELD)) begin(target); });
document.addEventListener("focusin", ({ target }) => { if (isSheetOpen() && target.matches(FIELD)) begin(target); });
document.addEventListener("htmx:afterSwap", copyDifference);

function begin(field) {
  open(field);
  copyDifference();
}

const finger = matchMedia("(pointer: coarse)");
for (const field of document.querySelectorAll(FIELD)) field.inputMode = finger.matches ? "none" : "numeric";
