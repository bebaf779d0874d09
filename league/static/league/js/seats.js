// Who is in: a tap goes round in, folded, mucked, all-in. The select behind it is the truth.

const OUT = new Set(["folded", "late", "mucked", "away"]);

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

// What everyone paid stands faintly where nobody said otherwise.
export function drawStakes() {
  const all = document.querySelector("#record [name=all_paid]");
  for (const paid of document.querySelectorAll("#record .seat .amount")) paid.placeholder = all?.value || "0";
}
