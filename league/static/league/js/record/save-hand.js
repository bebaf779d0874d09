// Saves a hand without leaving the page: first in the outbox, and then on the server.

import { forget, keep, outboxId } from "./hand-draft.js";
import { uuid } from "../common/idempotency-keys.js";
import { deliver, discard, flush, put } from "../offline/outbox.js";
import { draftHeadline, factsOf } from "./verdict.js";

const NOT_SENT = new Set(["csrfmiddlewaretoken", "paste", "sentence", "used_sentence", "drawn", "key"]);

// The outbox entry of a form: `to` is the address that receives the hand, and `page` is the page
// for correcting it.
export function entryOf(form) {
  const { user, who } = document.body.dataset;
  const { night, title } = form.dataset;
  const to = form.getAttribute("action");
  const fields = [...new FormData(form)].filter(([name]) => !NOT_SENT.has(name));
  const game = form.querySelector(".picker .chosen")?.textContent.trim() ?? "";
  const id = form.elements.key.value || uuid();
  return { id, user, who, night, title, to, page: to, game, dealt: Date.now(), facts: factsOf(form), draft: draftHeadline(form), fields };
}

// `replaceForm` replaces this form with the form in the server's response. `next` draws the form of
// the next hand when this hand is in the outbox.
export async function send(form, replaceForm, next) {
  if (form.hasAttribute("aria-busy")) return;
  keep(form);
  setBusy(form, true);
  const entry = entryOf(form);
  const stored = await put(entry);
  if (stored) forget(form); // the hand is in the outbox; a refused hand becomes a draft again
  const result = stored ? await flush(entry.id) : await deliver(entry);
  if (result.saved) { forget(form); location.assign(result.saved.next ?? form.dataset.next); return; }
  setBusy(form, false);
  const fresh = result.form && new DOMParser().parseFromString(result.form, "text/html").getElementById("record");
  // A refused hand goes back to this form. A hand that came from the outbox also stays there.
  if (fresh && stored && !outboxId) await discard(result.id ?? entry.id);
  if (fresh) replaceForm(fresh);
  else if (!stored) showUnsent(form, result.why === "unreached" ? "unreached" : "failed");
  else next(form);
}

function setBusy(form, isBusy) {
  form.toggleAttribute("aria-busy", isBusy);
  form.querySelectorAll(".bar .button").forEach((button) => { button.disabled = isBusy; });
  if (isBusy) form.querySelector("#unsent").hidden = true;
}

function showUnsent(form, why) {
  const note = form.querySelector("#unsent");
  note.querySelectorAll("[data-why]").forEach((line) => { line.hidden = line.dataset.why !== why; });
  note.hidden = false;
  note.scrollIntoView({ block: "center" });
}
