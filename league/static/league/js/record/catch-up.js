// Keeps the number and the dealer on the recording page up to date: the page may come from the
// cache, hands may be waiting in the outbox, and other phones save hands.

import { isStarted } from "./draft.js";
import { pathOf } from "../common/path.js";
import { drawDealer } from "./seats.js";
import { words } from "../controls/cards.js";
import { seen } from "../night/last-hand-seen.js";

// Without typed values, the form is for the next hand. `waiting` are the hands in the outbox.
// Returns whether it has a different dealer.
export function catchUp(form, waiting) {
  if ("again" in form.dataset) return false;
  const before = waiting.filter(({ to }) => to === pathOf(form.action)).at(-1);
  const table = tableOf(form);
  const next = Math.max(table.last, before?.number ?? 0) + 1;
  let moves = false;
  if (!isStarted(form) && !form.elements.deal && next >= numberOf(form)) {
    form.elements.number.value = next;
    form.elements.after.value = [...new Set([...form.elements.after.value.split(" "), ...waiting.map(({ id }) => id)])].join(" ").trim();
    moves = deal(form, before ? dealerAfter(before.fields) : table.dealer);
  }
  head(form, numberOf(form));
  showInBar(form);
  return moves;
}

// A discarded hand leaves no gap: the hands after it move up.
export function moveUp(form, number) {
  const field = form.elements.number;
  if (Number(field.value) > number) field.value -= 1;
}

// The table as the page shows it. A page from the cache may be older than what the phone showed
// later.
function tableOf(form) {
  const { last, dealer } = document.getElementById("table-now").dataset;
  const stored = document.documentElement.dataset.kept && seen(form.dataset.night);
  if (!(stored?.last > Number(last))) return { last: Number(last), dealer };
  if (!isStarted(form)) form.elements.seen.value = stored.last;
  return stored;
}

const numberOf = ({ elements: { seen: last, number } }) => Number(number.value) || Number(last.value) + 1;

// The box about a hand from another phone is above the form, so the bar repeats it if the form may
// describe the same hand.
function showInBar(form) {
  if (!form.elements.number) return; // a correction
  const line = form.querySelector(".bar .newer");
  const numbers = [...document.querySelectorAll("[id^=new-hand-]")].map(({ id }) => Number(id.replace("new-hand-", "")));
  const number = numbers.filter((each) => each >= numberOf(form)).at(-1);
  line.hidden = !number || !isStarted(form);
  line.firstElementChild.textContent = words.newer.replace("{number}", number);
}
document.addEventListener("drawn", () => showInBar(document.getElementById("record")));

// The dealer after a hand: the next player who was dealt in.
export function dealerAfter(fields) {
  const said = new Map(fields);
  const rows = fields.map(([name]) => /^players\/(\d+)\/name$/.exec(name)?.[1]).filter((row) => row && said.get(`players/${row}/state`) !== "away");
  const next = rows[(rows.indexOf(said.get("button")) + 1) % rows.length];
  return said.get(`players/${next}/name`) ?? "";
}

function deal(form, name) {
  const seat = [...form.querySelectorAll(".seat")].find((each) => each.querySelector("[name$='/name']").value === name);
  const radio = seat?.querySelector("[name=button]");
  if (!radio || radio.checked) return false;
  return (radio.checked = true);
}

// The line above the form contains the number of the hand and its dealer.
export function head(form, number) {
  const line = document.querySelector("#table-now [data-part=hand]");
  if (!line) return;
  line.textContent = words.hand.replace("{number}", number);
  drawDealer(form);
}
