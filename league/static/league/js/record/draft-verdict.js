// The last verdict from the server on the values of this form. Without a connection it stays a
// draft, and any change to the values makes it invalid. It is stored next to the draft of the hand,
// so that it survives a reload.

import { keepVerdict, keptVerdict } from "./draft.js";
import { fillFacts } from "../offline/outbox.js";
import { isIn, nameOf } from "./seats.js";

const UNJUDGED = new Set(["csrfmiddlewaretoken", "drawn", "key", "seen", "number", "after", "paste", "sentence", "used_sentence"]);
let last = null;

// The server and the phone draw the same values in a different order, with different empty fields.
export const valuesOf = (form) => JSON.stringify([...new FormData(form)].filter(([name, text]) => text && !UNJUDGED.has(name)).map((pair) => pair.join("=")).sort());

// `root` contains the verdict on these values.
export function remember(values, root) {
  const headline = root.querySelector(".who-won")?.textContent.trim();
  last = headline ? { values, headline } : null;
  keepVerdict(document.getElementById("record"), last);
}

// After a reload without a connection, the stored verdict is the last one.
export function recall(form) {
  last ??= keptVerdict(form);
}

export const draftHeadline = (form) => (last?.values === valuesOf(form) ? last.headline : "");

// What is recorded so far: the pot, and the players whose cards are entered.
export function factsOf(form) {
  const pot = form.querySelector("[data-part=pot]").textContent;
  const hasCards = (seat) => [...seat.querySelectorAll("input[data-zone]")].some((zone) => zone.value.trim());
  const showed = [...form.querySelectorAll(".seat")].filter((seat) => isIn(seat) && hasCards(seat)).map(nameOf);
  return { pot, showed: showed.join(", ") };
}

// Marks the verdict as a draft, or replaces it by the facts if it is on other values.
export function showPending(form) {
  const place = document.getElementById("verdict");
  const template = document.getElementById("afield").content;
  const headline = draftHeadline(form);
  const says = document.getElementById("says");
  const tag = template.querySelector("[data-part=draft]").cloneNode(true);
  if (!headline) {
    const pending = template.querySelector(".pending").cloneNode(true);
    fillFacts(pending, factsOf(form));
    place.replaceChildren(pending);
    says.textContent = pending.querySelector("b").textContent;
    return;
  }
  if (place.querySelector("[data-part=draft]")) return;
  if (!place.querySelector(".who-won")) place.replaceChildren();
  if (!place.firstElementChild) tag.querySelector("span").textContent = headline;
  place.prepend(tag);
  says.textContent = `${tag.querySelector("b").textContent}: ${headline}`;
}

// Another game's form is loading: its verdict is not the verdict on this hand.
export function showLoading(form) {
  const says = document.getElementById("says");
  const game = form.querySelector("[name=variant]:checked")?.closest("label").querySelector("b");
  form.querySelector(".game-parts").ariaBusy = "true";
  form.querySelector("#undrawn").hidden = true;
  says.textContent = document.getElementById("afield").content.querySelector("[data-part=loading]").textContent.replace("{game}", game?.textContent ?? "…");
}

export const isLoading = (form) => form.querySelector(".game-parts").ariaBusy === "true";
export const showLoaded = (form) => { form.querySelector(".game-parts").ariaBusy = null; };

// The form did not arrive, and the phone has not stored it.
export function showUnloaded(form) {
  const note = form.querySelector("#undrawn");
  showLoaded(form);
  document.getElementById("verdict").replaceChildren();
  document.getElementById("says").replaceChildren();
  note.hidden = false;
  note.scrollIntoView({ block: "center" });
}
