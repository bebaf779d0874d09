// The recording page: the form works by itself; this lets a thumb fill it.

import * as deck from "./deck.js";
import * as keypad from "./keypad.js";
import { forget, keep, kept } from "./hand-draft.js";
import { renew } from "./key.js";
import { place } from "./problems.js";
import { filter } from "./search.js";
import { cycle, drawSeat, drawStakes } from "./seats.js";
import { send } from "./send.js";
import { isUp, sink } from "./sheet.js";
import { drawZone, slotsOf, zoneOf, zones } from "./slots.js";

const record = () => document.getElementById("record");
const finger = matchMedia("(pointer: coarse)");

function drawAll() {
  zones().forEach(drawZone);
  record().querySelectorAll(".seat").forEach(drawSeat);
  record().querySelectorAll("input[data-chips]").forEach((input) => { input.inputMode = finger.matches ? "none" : "numeric"; });
  drawStakes();
  place();
}

document.addEventListener("click", (event) => {
  const slot = event.target.closest("#record .slot");
  const state = event.target.closest("#record [data-cycle]");
  const chips = event.target.closest("#record input[data-chips]");
  if (slot) deck.open(zoneOf(slot), slotsOf(zoneOf(slot)).indexOf(slot));
  else if (state) cycle(state);
  else if (chips) keypad.open(chips);
  else if (event.target.closest("#record [data-afresh]")) { forget(record()); location.reload(); }
});

document.addEventListener("focusin", (event) => {
  if (isUp() && event.target.matches("#record input[data-chips]")) keypad.open(event.target);
});

document.addEventListener("input", (event) => {
  const input = event.target;
  if (input.matches("[data-search]")) { event.stopPropagation(); filter(input); }
  else if (input.matches("[data-zone]")) { drawZone(input); deck.refresh(); }
  else if (input.matches("[name=all_paid]")) drawStakes();
  else if (input.matches("[name=button], [data-state-of]")) record().querySelectorAll(".seat").forEach(drawSeat);
}, true);

// What is typed stays on the phone until it is saved.
document.addEventListener("input", (event) => {
  if (event.target.form === record()) keep(record());
});
document.addEventListener("change", (event) => {
  if (event.target.form === record()) keep(record());
});

document.addEventListener("submit", (event) => {
  if (event.target !== record() || event.submitter?.hasAttribute("formaction")) return;
  event.preventDefault();
  sink();
  send(record(), draw);
});

function draw(form) {
  record().replaceWith(form);
  htmx.process(form);
  drawAll();
  keep(form);
  form.scrollIntoView();
}

// The draft is drawn by the server, which knows what its game asks.
async function restore(fields) {
  const values = new FormData();
  fields.forEach(([name, text]) => values.append(name, text));
  values.set("csrfmiddlewaretoken", record().elements.csrfmiddlewaretoken.value);
  await htmx.ajax("POST", record().dataset.redraw, { target: "#record", select: "#record", swap: "outerHTML", values });
  document.getElementById("kept").hidden = false;
}

// A search is no change of the game.
document.addEventListener("change", (event) => { if (event.target.matches("[data-search]")) event.stopPropagation(); }, true);

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id === "verdict") place();
});
document.addEventListener("htmx:load", (event) => {
  if (event.detail.elt.id === "record") { sink(); drawAll(); }
});
// Back to a page whose hand was saved, or never begun: the next one is written on a page of its own.
addEventListener("pageshow", (event) => { if (event.persisted && !kept(record())) location.reload(); });

// A game tapped before the scripts were there waits for its form.
document.addEventListener("DOMContentLoaded", () => {
  const draft = kept(record());
  if (draft) { restore(draft); return; }
  const chosen = record().querySelector("[name=variant]:checked");
  if (chosen && chosen.value !== record().elements.drawn.value) chosen.dispatchEvent(new Event("change", { bubbles: true }));
});

renew();
drawAll();
