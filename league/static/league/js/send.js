// Sends the form of a hand without leaving the page, which stays as it is until an answer comes.

import { forget, keep } from "./hand-draft.js";

const LONGEST = 20000; // milliseconds without an answer

// `drawn` takes the form that the server sent back in place of this one.
export async function send(form, drawn) {
  if (form.hasAttribute("aria-busy")) return;
  keep(form);
  rest(form, true);
  try {
    const answer = await fetch(form.action, {
      method: "POST", body: new FormData(form), headers: { "HX-Request": "true" }, signal: AbortSignal.timeout(LONGEST),
    });
    const next = answer.headers.get("HX-Redirect");
    if (next) { forget(form); location.assign(next); return; }
    if (answer.redirected) { location.assign(answer.url); return; } // signed out meanwhile: the draft waits
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("record");
    if (fresh) drawn(fresh); else tell(form, "failed");
  } catch {
    tell(form, "unreached");
  }
  rest(form, false);
}

function rest(form, resting) {
  form.toggleAttribute("aria-busy", resting);
  form.querySelectorAll(".bar .button").forEach((button) => { button.disabled = resting; });
  if (resting) form.querySelector("#unsent").hidden = true;
}

function tell(form, why) {
  const note = form.querySelector("#unsent");
  note.querySelectorAll("[data-why]").forEach((line) => { line.hidden = line.dataset.why !== why; });
  note.hidden = false;
  note.scrollIntoView({ block: "center" });
}
