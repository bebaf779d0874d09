// "All" and "Won without a showdown" under "Who showed?".

import { FOLDED, hasCards, rowOf, stateOf, tickOf, ticks } from "./players-and-pot.js";

const record = () => document.getElementById("record");
const seats = () => [...record().querySelectorAll(".seat")];

// Only one player is left, so no other player showed.
export function leaveAlone(row) {
  for (const seat of seats()) if (stateOf(seat).value === "all-in" && rowOf(seat) !== row) stateOf(seat).value = "folded";
  for (const tick of ticks(record(), "late")) tick.checked = false;
  tickShowed((seat) => rowOf(seat) === row);
}

// One tap ticks all players who were dealt in, another one removes the ticks.
export function toggleAll() {
  const mayTick = (seat) => !seat.hasAttribute("data-lost") && !["away", "mucked"].includes(stateOf(seat).value);
  const isOn = seats().some((seat) => mayTick(seat) && !tickOf(record(), seat).checked);
  tickShowed((seat) => isOn && mayTick(seat));
}

function tickShowed(isShown) {
  for (const seat of seats()) tickOf(record(), seat).checked = isShown(seat);
  ticks(record(), "showed")[0].dispatchEvent(new Event("input", { bubbles: true }));
}

// A player who is left alone has a tick, but did not show, so the name is marked under "Won without a showdown".
function drawLeft() {
  const left = seats().filter((seat) => ![...FOLDED, "away"].includes(stateOf(seat).value));
  const isAlone = left.length === 1 && !hasCards(left[0]) && tickOf(record(), left[0])?.checked;
  mark(isAlone ? rowOf(left[0]) : "");
  if (isAlone) document.getElementById("all-folded")?.setAttribute("open", "");
}

function mark(row) {
  for (const pill of record().querySelectorAll("[data-left]")) pill.ariaPressed = String(pill.dataset.left === row);
}

// The first player who is ticked is not alone: others may follow.
document.addEventListener("input", (event) => {
  if (!event.target.matches("#record :is([name=showed], [data-state-of])")) return;
  if (event.isTrusted && event.target.name === "showed") mark("");
  else drawLeft();
}, true);
document.addEventListener("drawn", drawLeft);
drawLeft();
