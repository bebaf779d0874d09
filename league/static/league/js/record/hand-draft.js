// Stores unsaved hands on the phone: one draft for each night, and one for each hand that is being
// corrected.

const HEAD = "hand-draft:";
const BESIDE = new Set(["csrfmiddlewaretoken"]);
// A hand from the outbox that is being corrected has its own draft.
export const outboxId = new URLSearchParams(location.search).get("fix") ?? "";
// During a match, its next deal and another game have their own drafts.
const isOther = () => new URLSearchParams(location.search).has("other");
const name = (form) => HEAD + form.getAttribute("action") + outboxId + (isOther() ? ":other" : "");

// The key is stored too, so that a hand that was saved without a response is not saved again.
export function keep(form) {
  const fields = [...new FormData(form)].filter(([field]) => !BESIDE.has(field));
  attempt(() => localStorage.setItem(name(form), JSON.stringify(fields)));
  form.toggleAttribute("data-started", true);
}

export function forget(form) {
  attempt(() => [name(form), verdictOf(form)].forEach((each) => localStorage.removeItem(each)));
  form.removeAttribute("data-started");
}

// Returns whether the form contains values that are not saved.
export const isStarted = (form) => form.hasAttribute("data-started");
export const storedDraft = (form) => attempt(() => JSON.parse(localStorage.getItem(name(form))));

// The verdict on the draft, for the time without a connection.
const verdictOf = (form) => name(form) + ":verdict";
export const keepVerdict = (form, verdict) => attempt(() => localStorage.setItem(verdictOf(form), JSON.stringify(verdict)));
export const storedVerdict = (form) => attempt(() => JSON.parse(localStorage.getItem(verdictOf(form))));

// If the draft has a different game than the requested one, it is set aside until it is resumed or
// discarded.
const besides = (form) => name(form) + ":aside";
const list = (form) => attempt(() => JSON.parse(localStorage.getItem(besides(form)))) ?? [];
const write = (form, drafts) => attempt(() => (drafts.length ? localStorage.setItem(besides(form), JSON.stringify(drafts)) : localStorage.removeItem(besides(form))));

export const isAside = (form) => list(form).length > 0;

export function layAside(form) {
  const draft = storedDraft(form);
  if (draft) putAside(form, draft);
}

// A draft whose form can't be drawn now is resumed later.
export const putAside = (form, draft) => { if (write(form, [...list(form), draft]) !== null) forget(form); };

export function takeUp(form) {
  const drafts = list(form);
  const draft = drafts.pop();
  write(form, drafts);
  return draft;
}

// Storage may be unavailable (private windows); the page works without it.
function attempt(step) {
  try { return step(); } catch { return null; }
}
