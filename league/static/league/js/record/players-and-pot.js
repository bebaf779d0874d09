// The states of players (in, folded, all in, not dealt in), the dealer, the payments and the pot. A
// tap on a name folds the player and offers all states. The select field contains the value.

import { words } from "../controls/cards.js";
import { nextHand } from "../night/last-hand-seen.js";

const OUT = new Set(["folded", "late", "mucked", "away"]);
export const FOLDED = new Set(["folded", "late"]);

export const stateOf = (seat) => seat.querySelector("select[data-state-of]");
export const stake = (seat) => seat.querySelector(".amount");
export const nameOf = (seat) => seat.querySelector("[name$='/name']").value;
export const isIn = (seat) => !OUT.has(stateOf(seat).value);

export function drawSeat(seat) {
  const select = stateOf(seat);
  const button = seat.querySelector("[data-states]");
  seat.dataset.state = select.value;
  seat.toggleAttribute("data-out", OUT.has(select.value));
  seat.toggleAttribute("data-dealer", seat.querySelector("[name=button]").checked);
  button.dataset.state = select.value;
  button.querySelector(".is").textContent = select.selectedOptions[0].textContent;
  seat.querySelector("[data-sits-out]").ariaPressed = String(select.value === "away");
  drawElsewhere(seat, select.value === "away");
}

// Players who are not dealt in have no other fields. Players who have lost the match neither show
// nor win. The dealer is marked if the game needs one.
function drawElsewhere(seat, isAway) {
  const form = document.getElementById("record");
  const row = rowOf(seat);
  const hide = (names, isHidden) => form.querySelectorAll(names).forEach((place) => { (place.closest(".pill") ?? place).hidden = isHidden; });
  hide(`:is([name=showed], [name=late], [name=winner])[value="${row}"], [data-left="${row}"]`, isAway || seat.hasAttribute("data-lost"));
  hide(`[data-deals="${row}"], [data-away="${row}"]`, isAway);
  const deals = form.querySelector(`[data-deals="${row}"]`);
  if (deals) deals.ariaPressed = String(seat.querySelector("[name=button]").checked);
}

// A player who is not dealt in can't deal, so the next player does, as on the server (read_form.py).
export function passDeal(form) {
  const seats = [...form.querySelectorAll(".seat")];
  const at = seats.findIndex((seat) => seat.querySelector("[name=button]").checked);
  const dealer = [...seats.slice(at), ...seats].find((seat) => stateOf(seat).value !== "away");
  if (at >= 0 && dealer) dealer.querySelector("[name=button]").checked = true;
}

// The line above the form names the dealer of this hand, not the player who is next.
export function drawDealer(form) {
  const dealer = form.querySelector("[name=button]:checked")?.closest(".seat");
  const line = document.querySelector("#table-now [data-part=dealer]");
  if (dealer && line) line.textContent = words.deals.replace("{name}", nameOf(dealer));
}

// Makes another player the dealer of this hand.
export function giveDeal(form, row) {
  const radio = form.querySelector(`[name=button][value="${row}"]`);
  radio.checked = true;
  radio.dispatchEvent(new Event("input", { bubbles: true }));
}

// One tap toggles between in and folded; the menu that opens with the tap has the other states.
export function offerStates(button) {
  const seat = button.closest(".seat");
  const select = stateOf(seat);
  const isOpen = Boolean(seat.querySelector(".states"));
  closeStates();
  setState(seat, select.value === "in" ? select.options[1].value : "in");
  if (isOpen) return;
  const menu = document.createElement("div");
  menu.className = "states pills";
  menu.append(...[...select.options].map((option) => {
    const state = document.createElement("button");
    Object.assign(state, { type: "button", className: "pill", textContent: option.textContent, ariaPressed: String(option.selected) });
    state.dataset.state = option.value;
    state.addEventListener("click", () => { closeStates(); setState(seat, option.value); button.focus({ preventScroll: true }); });
    return state;
  }));
  button.ariaExpanded = "true";
  seat.querySelector(".top-line").after(menu);
}

function closeStates() {
  document.querySelector(".seat .states")?.remove();
  document.querySelector("[data-states][aria-expanded=true]")?.setAttribute("aria-expanded", "false");
}

export function setState(seat, state) {
  const select = stateOf(seat);
  select.value = state;
  select.dispatchEvent(new Event("input", { bubbles: true }));
}

export const sitOut = (form, row) => setState(form.querySelector(`select[name="players/${row}/state"]`).closest(".seat"), "away");

// One tap marks a player as not dealt in, another one deals the player in again.
export function toggleSitsOut(button) {
  const seat = button.closest(".seat");
  closeStates();
  setState(seat, stateOf(seat).value === "away" ? "in" : "away");
}

// Returns whether a player has fewer chips than the others paid.
export const isShort = (seat) => stackOf(seat) > 0 && stackOf(seat) < Number(stake(seat).value || stake(seat).placeholder);

// Returns the chips that a player has, or 0 if that is unknown, as after a hand in the outbox.
export function stackOf(seat) {
  const form = document.getElementById("record");
  if (form.dataset.stacks) return JSON.parse(form.dataset.stacks)[nameOf(seat)] ?? 0; // before a hand to correct
  const saved = nextHand(form, []);
  return form.elements.number?.value > saved.number ? 0 : saved.stacks.get(nameOf(seat)) ?? 0;
}

// "All in" fills in the stack if it is known. A typed number stays.
export function fillAllIn(seat) {
  const amount = stake(seat);
  const stack = stackOf(seat);
  const { value } = stateOf(seat);
  if (value === "all-in" && !amount.value && stack) amount.value = amount.dataset.filled = stack;
  else if (!["all-in", "mucked"].includes(value) && amount.value && amount.value === amount.dataset.filled) amount.value = "";
}

// Ticking the players who showed folds all others, as on the server (read_form.py).
export const ticks = (form, name) => [...form.querySelectorAll(`[name=${name}]`)];
export const tickOf = (form, seat) => ticks(form, "showed").find((each) => each.value === rowOf(seat));
export const rowOf = (seat) => stateOf(seat).name.split("/")[1];

export function showDown(form) {
  const ticked = (name) => new Set(ticks(form, name).filter((each) => each.checked).map((each) => each.value));
  const [showed, late] = [ticked("showed"), ticked("late")];
  for (const seat of form.querySelectorAll(".seat")) {
    const select = stateOf(seat);
    const isOut = showed.size > 0 && !showed.has(rowOf(seat));
    if (isOut && (select.value === "in" || FOLDED.has(select.value))) select.value = late.has(rowOf(seat)) ? "late" : "folded";
    else if (!isOut && FOLDED.has(select.value)) select.value = "in";
  }
}

// With the first tick, the players whose cards are already entered are ticked too. A player whose
// tick is removed after cards and the amount of these players were entered did not fold, but mucked.
export function tapShowed(form, { value, checked }) {
  const count = ticks(form, "showed").filter((each) => each.checked).length;
  const seat = form.querySelector(`[name="players/${value}/state"]`).closest(".seat");
  const isOver = count > 0 && shown(form).length > 0 && form.elements.showed_paid.value;
  if (checked && count === 1) for (const each of shown(form)) tickOf(form, each).checked = true;
  if (checked && stateOf(seat).value === "mucked") stateOf(seat).value = "in";
  else if (!checked && isIn(seat) && isOver) stateOf(seat).value = "mucked";
}

export const hasCards = (seat) => [...seat.querySelectorAll("input[data-zone]")].some((zone) => zone.value.trim());
const isUndecided = (seat) => stateOf(seat).value === "in" && !hasCards(seat);
const isAsked = (form) => ticks(form, "showed").length > 0 && !ticks(form, "showed").some((each) => each.checked);

// The players who may be the next to show, until players are ticked.
export const mayShow = (form) => (isAsked(form) ? [...form.querySelectorAll(".seat")].filter((seat) => isIn(seat) && !hasCards(seat)) : []);

// Players who showed, by their cards, and those who folded.
export const shown = (form) => [...form.querySelectorAll(".seat")].filter((seat) => isIn(seat) && hasCards(seat));
export const folded = (form) => [...form.querySelectorAll(".seat[data-state=folded]")];

// Players without cards, if others have cards and no player is ticked yet.
export function undecided(form) {
  return isAsked(form) && shown(form).length ? [...form.querySelectorAll(".seat")].filter(isUndecided) : [];
}

// Folds all players without cards in one tap.
export function foldRest(form) {
  const rest = new Set(undecided(form).map(rowOf));
  for (const seat of form.querySelectorAll(".seat")) {
    const tick = tickOf(form, seat);
    if (tick) tick.checked = isIn(seat) && !rest.has(rowOf(seat));
  }
  ticks(form, "showed")[0].dispatchEvent(new Event("input", { bubbles: true }));
}

// The player showed, too.
export function unfold(seat) {
  const tick = tickOf(document.getElementById("record"), seat);
  tick.checked = true;
  tick.dispatchEvent(new Event("input", { bubbles: true }));
}

// Once a player is ticked in the row for all players, that row also shows changes of a player's
// state.
export function follow(form, select) {
  const row = select.name.split("/")[1];
  const isTicked = ticks(form, "showed").some((each) => each.checked);
  for (const tick of ticks(form, "showed")) if (isTicked && tick.value === row) tick.checked = !OUT.has(select.value);
  for (const tick of ticks(form, "late")) if (tick.value === row) tick.checked = select.value === "late";
}

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
