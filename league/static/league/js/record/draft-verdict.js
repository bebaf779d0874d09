// The last verdict from the server on the values of this form. Without a connection it stays a
// draft, and any change to the values makes it invalid.

import { fillFacts } from "../offline/outbox.js";
import { isIn, nameOf } from "./seats.js";

const UNJUDGED = new Set(["csrfmiddlewaretoken", "key", "seen", "number", "after", "paste", "sentence", "used_sentence"]);
let last = null;

export const valuesOf = (form) => JSON.stringify([...new FormData(form)].filter(([name]) => !UNJUDGED.has(name)));

// `root` contains the verdict on these values.
export function remember(values, root) {
  const headline = root.querySelector(".who-won")?.textContent.trim();
  last = headline ? { values, headline } : null;
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
