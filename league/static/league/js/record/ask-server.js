// Requests the form of another game, and the verdict on the typed values.

import { remember, valuesOf } from "./draft-verdict.js";
import { token } from "../offline/outbox.js";

const PAUSE = 350; // milliseconds after the last key before the verdict is requested
const TIMEOUT = 8000; // milliseconds without a response before the phone continues alone

const record = () => document.getElementById("record");
const page = (text) => new DOMParser().parseFromString(text, "text/html");

async function post(address, by, more, stop) {
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
export async function form(by, more = {}) {
  drawing?.abort();
  const mine = drawing = new AbortController();
  const answer = await post(record().dataset.redraw, by, more, mine);
  if (mine !== drawing) return undefined; // another game was chosen in the meantime
  const drawn = answer?.getElementById("record") ?? null;
  if (drawn) remember(valuesOf(drawn), drawn);
  return drawn;
}

// Requests the verdict after a pause in typing, and calls `done(true)` if it arrived, otherwise
// `done(false)`.
let pause = 0;
let judging = null;
export function verdict(done) {
  clearTimeout(pause);
  showBusy(true);
  pause = setTimeout(judge, PAUSE, done);
}

// Saving shows its own verdict, which an earlier request must not replace.
export function hush() {
  clearTimeout(pause);
  judging?.abort();
  judging = null;
  showBusy(false);
}

// Until the response arrives, the previous verdict is shown as out of date.
const showBusy = (busy) => document.getElementById("verdict").setAttribute("aria-busy", String(busy));

async function judge(done) {
  judging?.abort();
  const mine = judging = new AbortController();
  const values = valuesOf(record());
  const answer = await post(record().dataset.check, "", {}, mine);
  if (mine !== judging) return;
  showBusy(false);
  const says = answer?.getElementById("says");
  if (!says) { done(false); return; }
  remember(values, answer);
  says.remove();
  const shown = document.getElementById("says");
  if (shown.textContent !== says.textContent) shown.replaceChildren(...says.childNodes);
  document.getElementById("verdict").replaceChildren(...answer.body.childNodes);
  done(true);
}
