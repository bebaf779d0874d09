// Who is in: a tap goes round in, folded, mucked, all-in. The select behind it is the truth.

const OUT = new Set(["folded", "late", "mucked", "away"]);
const FOLDED = new Set(["folded", "late"]);

export function drawSeat(seat) {
  const select = seat.querySelector("select[data-state-of]");
  const button = seat.querySelector("[data-cycle]");
  seat.dataset.state = select.value;
  seat.toggleAttribute("data-out", OUT.has(select.value));
  seat.toggleAttribute("data-dealer", seat.querySelector("[name=button]").checked);
  button.dataset.state = select.value;
  button.querySelector(".is").textContent = select.selectedOptions[0].textContent;
}

export function cycle(button) {
  const select = button.closest(".seat").querySelector("select[data-state-of]");
  select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
  select.dispatchEvent(new Event("input", { bubbles: true }));
}

// What each one paid stands faintly where nobody said otherwise: what all paid, or the pot evenly.
export function drawStakes() {
  const form = document.getElementById("record");
  const seats = [...form.querySelectorAll(".seat")].filter((seat) => seat.dataset.state !== "away");
  const shares = evenly(form, seats);
  for (const seat of seats) stake(seat).placeholder = shares?.get(seat) ?? (form.elements.all_paid.value || "0");
}

const stake = (seat) => seat.querySelector(".amount");
const chips = (input) => (/^\d+$/.test(input?.value ?? "") ? Number(input.value) : 0);

// As the server reads it (read_form.py): the odd chips go to the first ones.
function evenly(form, seats) {
  if (!/^\d+$/.test(form.elements.pot?.value ?? "")) return null;
  const payers = seats.filter((seat) => !stake(seat).value && !FOLDED.has(seat.dataset.state));
  const told = seats.reduce((sum, seat) => sum + chips(stake(seat)), chips(form.elements.carried));
  const left = Math.max(0, chips(form.elements.pot) - told);
  const shares = new Map(seats.map((seat) => [seat, "0"]));
  payers.forEach((seat, place) => shares.set(seat, String(Math.floor(left / payers.length) + (place < left % payers.length))));
  return shares;
}
