// Updates the recording page when the night has advanced: the page may come from the cache, or
// hands may be waiting in the outbox.

import { pathOf } from "../common/path.js";
import { seen } from "../night/last-hand-seen.js";

// A form without typed values.
export function catchUp(form, waiting) {
  if (form.dataset.again) return;
  const now = seen(form.dataset.night);
  if (now && now.last > Number(form.elements.seen.value)) {
    form.elements.seen.value = now.last;
    deal(form, now.dealer);
  }
  const before = waiting.filter(({ to }) => to === pathOf(form.action)).at(-1);
  if (before) deal(form, dealerAfter(before.fields));
  head(form, Math.max(Number(form.elements.seen.value), before?.number ?? 0) + 1);
}

// The dealer after a hand: the next player who was dealt in.
export function dealerAfter(fields) {
  const said = new Map(fields);
  const rows = fields.map(([name]) => /^players\/(\d+)\/name$/.exec(name)?.[1]).filter((row) => row && said.get(`players/${row}/state`) !== "away");
  const next = rows[(rows.indexOf(said.get("button")) + 1) % rows.length];
  return said.get(`players/${next}/name`) ?? "";
}

function deal(form, name) {
  const seat = [...form.querySelectorAll(".seat")].find((each) => each.querySelector("[name$='/name']").value === name);
  if (seat) seat.querySelector("[name=button]").checked = true;
}

// The line above the form contains the number of the hand and its dealer.
export function head(form, number) {
  const dealer = form.querySelector("[name=button]:checked")?.closest(".seat").querySelector("[name$='/name']").value ?? "";
  const { hand, deals } = JSON.parse(document.getElementById("words").textContent);
  const line = document.querySelector("#table-now summary");
  if (!line) return;
  line.querySelector("[data-part=hand]").textContent = hand.replace("{number}", number);
  line.querySelector("[data-part=dealer]").textContent = dealer && deals.replace("{name}", dealer);
}
