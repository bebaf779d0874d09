// Keeps the number, the dealer and the last hand's amounts on the recording page up to date.

import { isStarted, keep } from "./hand-draft.js";
import { FOLDED, drawDealer } from "./players-and-pot.js";
import { words } from "../controls/cards.js";
import { nextHand } from "../night/last-hand-seen.js";

const MOST_AMOUNTS = 3;

// Without typed values, the form is for the next hand. A hand that is being entered keeps its dealer
// and its number, but no number is skipped if an earlier hand was discarded. `waiting` are the hands
// in the outbox. Returns whether the form has a different dealer.
export function catchUp(form, waiting) {
  const { number, deal } = form.elements;
  if (!number || form.hasAttribute("aria-busy")) return false; // a correction, or a hand that is being saved
  const next = nextHand(form, waiting);
  const last = waiting.filter(({ to }) => to === form.getAttribute("action")).at(-1);
  if (last?.number === next.number - 1) form.dataset.recent = amounts(new Map(last.fields));
  let moves = false;
  if (isStarted(form) && next.number < number.value) {
    number.value = next.number;
    keep(form);
  } else if (!isStarted(form) && !deal) moves = follow(form, next, waiting);
  head(form);
  showInBar(form);
  return moves;
}

// The amounts that most players paid, as on the server (initial_fields.py).
function amounts(fields) {
  const counts = new Map();
  for (const [name, state] of fields) {
    const row = /^players\/(\d+)\/state$/.exec(name)?.[1];
    if (!row || state === "away") continue;
    const ofShowed = fields.has("showed") && !FOLDED.has(state) && fields.get("showed_paid");
    const chips = fields.get(`players/${row}/paid`) || ofShowed || fields.get("all_paid");
    if (Number(chips)) counts.set(chips, (counts.get(chips) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return sorted.slice(0, MOST_AMOUNTS).map(([chips]) => chips).join(" ");
}

// Another phone has saved this hand, so the values that were entered here are for the next hand.
export function moveOn(form, waiting) {
  follow(form, nextHand(form, waiting), waiting);
  form.elements.seen.value = document.getElementById("table-now").dataset.last;
  keep(form);
  head(form);
}

function follow(form, next, waiting) {
  const { number, after, seen } = form.elements;
  number.value = next.number;
  after.value = [...new Set([...after.value.split(" "), ...waiting.map(({ id }) => id)])].join(" ").trim();
  // A page from the cache can't show the hands that the phone has seen since.
  if (document.documentElement.dataset.kept) seen.value = Math.max(seen.value, next.seen);
  const seat = [...form.querySelectorAll(".seat")].find((each) => each.querySelector("[name$='/name']").value === next.dealer);
  const radio = seat?.querySelector("[name=button]");
  if (!radio || radio.checked) return false;
  return (radio.checked = true);
}

// The box about a hand from another phone is above the form, so the bar repeats it if the form may
// describe the same hand.
function showInBar(form) {
  if (!form.elements.number) return; // a correction
  const line = form.querySelector(".bar .newer");
  const numbers = [...document.querySelectorAll("[id^=new-hand-]")].map(({ id }) => Number(id.replace("new-hand-", "")));
  const number = numbers.filter((each) => each >= form.elements.number.value).at(-1);
  line.hidden = !number || !isStarted(form);
  if (number) line.firstElementChild.textContent = words.newer.replace("{number}", number);
}
document.addEventListener("drawn", () => showInBar(document.getElementById("record")));

// The line above the form contains the number of the hand and its dealer.
function head(form) {
  const line = document.querySelector("#table-now [data-part=hand]");
  if (!line) return;
  line.textContent = words.hand.replace("{number}", form.elements.number.value);
  drawDealer(form);
}
