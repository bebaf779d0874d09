// Opens the field that is missing or wrong: an empty card slot, a number, or a player who has not
// declared. Fills in what the verdict offers.

import * as deck from "../controls/card-keypad.js";
import * as keypad from "../controls/chip-keypad.js";
import { nameOf, setState } from "./players-and-pot.js";
import { show } from "../controls/bottom-sheet.js";
import { UNSEEN, hand, seen, write } from "../controls/cards.js";

// Handles a hand that was saved before it was complete.
export function toFirstProblem(form) {
  const first = document.querySelector("#verdict [data-problem]");
  if (first) reach(form, first.dataset);
}

// A tap on the verdict marks a player who put in less as all in, or opens the field named in the
// verdict.
export function toProblem(form, field) {
  const seat = [...form.querySelectorAll(".seat")].find((each) => nameOf(each) === field.allIn);
  if (seat) setState(seat, "all-in");
  else reach(form, field);
}

// `problem` is the field with the problem, and `to` is the field that is missing.
function reach(form, { problem, to = problem, at }) {
  const name = CSS.escape(to);
  const field = form.querySelector(`[name="${name}"]:not([type=hidden])`) ?? form.querySelector(`[name^="${name}/"][data-zone]`);
  field?.closest("details")?.setAttribute("open", "");
  if (field?.dataset.zone !== undefined && seen(field)) {
    deck.open(field, at ? Number(at) : undefined);
    show(form.querySelector(".slot.next"));
  }
  else if (field?.dataset.chips !== undefined) keypad.open(field);
  else (field?.closest(".seat") ?? form.querySelector(`.problems[data-field="${name}"]`))?.scrollIntoView({ block: "center" });
}

// Enters who took the chips before the correction of a closed night.
export function payAsBefore({ elements }, { dataset: { paidBefore } }) {
  for (const [name, chips] of pairs(paidBefore)) {
    elements[name].value = chips;
    elements[name].closest("details").open = true;
    elements[name].dispatchEvent(new Event("input", { bubbles: true }));
  }
}

// Fills in the cards that were dealt but never turned over.
export function fillUnseen({ elements }, { dataset: { neverSeen } }) {
  for (const [name, count] of pairs(neverSeen)) write(elements[name], [...hand(elements[name]), ...Array(Number(count)).fill(UNSEEN)]);
}

const pairs = (text) => text.trim().split(" ").map((each) => each.split(":"));
