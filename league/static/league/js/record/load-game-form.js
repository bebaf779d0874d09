// Loads the form of another game or of other choices: from the server, or as the phone stores it.
// Shows if it did not arrive.

import { token } from "../offline/outbox.js";

const TIMEOUT = 8000; // milliseconds without a response before the phone continues alone

const record = () => document.getElementById("record");
const page = (text) => new DOMParser().parseFromString(text, "text/html");

export async function post(address, by, more, stop) {
  const values = new FormData(record());
  values.set("csrfmiddlewaretoken", token());
  Object.entries(more).forEach(([name, text]) => values.set(name, text));
  const slow = setTimeout(() => stop.abort(), TIMEOUT);
  try {
    const headers = { "HX-Request": "true", "HX-Trigger-Name": by };
    const answer = await fetch(address, { method: "POST", body: values, headers, signal: stop.signal });
    return answer.redirected ? null : page(await answer.text());
  } catch {
    return null;
  } finally {
    clearTimeout(slow);
  }
}

// Returns the form for the current choices; null without a response.
let drawing = null;
export async function requestForm(by, more = {}) {
  drawing?.abort();
  const mine = drawing = new AbortController();
  const answer = await post(record().dataset.redraw, by, more, mine);
  if (mine !== drawing) return undefined; // another game was chosen in the meantime
  return answer?.getElementById("record") ?? null;
}

// Draws the form with these values. `whole` is added to the address.
export async function fromServer(values, whole) {
  try {
    const answer = await fetch(record().dataset.redraw + whole, { method: "POST", body: values, signal: AbortSignal.timeout(TIMEOUT) });
    return page(await answer.text()).getElementById("record");
  } catch { return null; }
}

export async function fromPhone(fields) {
  return (await import("../offline/draw-game-form.js")).redrawn(record(), fields);
}

// Another game's form is loading: its verdict is not the verdict on this hand.
export function showLoading(form, game = form.querySelector("[name=variant]:checked")?.value) {
  const name = game && form.querySelector(`[name=variant][value="${CSS.escape(game)}"]`)?.closest("label").querySelector("b").textContent;
  form.querySelector(".game-parts").ariaBusy = "true";
  form.querySelector("#undrawn").hidden = true;
  const text = document.getElementById("afield").content.querySelector("[data-part=loading]").textContent;
  document.getElementById("says").textContent = text.replace(" {game}", () => name ? ` ${name}` : "");
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
