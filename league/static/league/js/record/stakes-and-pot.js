// Shows what each player put in by default, and the pot.

import { words } from "../controls/cards.js";
import { FOLDED, nameOf, stake, ticks } from "./player-states-and-dealer.js";

// Placeholders show each player's default payment: the common payment, or an equal part of the pot.
export function drawStakes() {
  const form = document.getElementById("record");
  const seats = [...form.querySelectorAll(".seat")].filter((seat) => seat.dataset.state !== "away");
  const shares = evenly(form, seats);
  const { all_paid: all, showed_paid: ofShowed } = form.elements;
  for (const seat of seats) stake(seat).placeholder = shares?.get(seat) ?? commonPayment(form, seat.dataset.state);
  if (ofShowed) ofShowed.placeholder = all.value || "0";
  drawPot(form, seats);
  drawFit(form, seats.length);
}

// Once players are ticked as having shown, their amount also applies to players who mucked, as on
// the server (read_form.py). The form for a result keeps the ticks in hidden fields.
export function commonPayment(form, state) {
  const { all_paid: all, showed_paid: ofShowed } = form.elements;
  const isShowdown = ticks(form, "showed").some((each) => each.checked || each.type === "hidden");
  return (isShowdown && !FOLDED.has(state) && ofShowed?.value) || all.value || "0";
}

export const hasTwoPayments = (form) => commonPayment(form, "in") !== commonPayment(form, "folded");

// If the game is for fewer players, shows the choice of players who sit out.
function drawFit(form, count) {
  const note = form.querySelector(".note[data-least]");
  if (!note) return;
  const isTooMany = count > note.dataset.most;
  note.hidden = count >= note.dataset.least && !isTooMany;
  note.querySelector("[data-too-many]").hidden = !isTooMany;
}

// Shows the pot, the players who paid the showdown's amount, and the payouts of the table next to
// the save button.
function drawPot(form, seats) {
  const paid = (seat) => stake(seat).value || stake(seat).placeholder;
  const middle = seats.reduce((sum, seat) => sum + (Number(paid(seat)) || 0), carried(form));
  const most = hasTwoPayments(form) && commonPayment(form, "in");
  const names = seats.filter((seat) => paid(seat) === most).map(nameOf);
  const took = [...form.querySelectorAll(".took input")].reduce((sum, input) => sum + chips(input), 0);
  const text = took ? words.taken : words.pot;
  form.querySelector("[data-part=pot]").textContent = middle ? text.replace("{pot}", middle).replace("{took}", took) : "";
  form.querySelector("[data-part=paid]").textContent = names.length ? words.paid.replace("{chips}", most).replace("{names}", names.join(", ")) : "";
}

// The verdict's pot does not include uncalled bets.
export function drawSettledPot(form) {
  const pot = document.querySelector("#verdict [data-pot]")?.dataset.pot;
  const line = form.querySelector("[data-part=pot]");
  const took = [...form.querySelectorAll(".took input")].some((input) => chips(input));
  if (pot && !took) line.textContent = Number(pot) ? words.pot.replace("{pot}", pot) : "";
}

// Pots restricted to some players are JSON.
function carried({ elements: { carried: field } }) {
  try { return JSON.parse(field.value).reduce((sum, { amount }) => sum + amount, 0); } catch { return chips(field); }
}

const chips = (input) => (/^\d+$/.test(input?.value ?? "") ? Number(input.value) : 0);

// As on the server (read_form.py), the odd chips go to the first players.
function evenly(form, seats) {
  if (!/^\d+$/.test(form.elements.pot?.value ?? "")) return null;
  const payers = seats.filter((seat) => !stake(seat).value && !FOLDED.has(seat.dataset.state));
  const entered = seats.reduce((sum, seat) => sum + chips(stake(seat)), carried(form));
  const left = Math.max(0, chips(form.elements.pot) - entered);
  const shares = new Map(seats.map((seat) => [seat, "0"]));
  payers.forEach((seat, place) => shares.set(seat, String(Math.floor(left / payers.length) + (place < left % payers.length))));
  return shares;
}
