// The outbox. A hand is stored here before it is sent, and deleted when the server confirms the
// hand's own id. An entry belongs to one user and one night; no other user's page shows or sends it.
// Entries are sent when a page loads, when the phone is online again, when the user returns to the
// page, and by a timer.
//
//   put(entry)      stores an entry and returns it as stored, or null if this phone has no storage.
//                   `entryOf(form)` in record/save-hand.js creates an entry
//   list()          returns the entries of this page's user, oldest first
//   withdraw(id)    deletes a hand that was never sent and returns true. If it returns false,
//                   the server may have the hand, so it has to be undone there
//   discard(id)     deletes a hand that the server refused
//   hold(id)        holds back a hand that was never sent, while the user changes it, and returns
//                   true. If it returns false, the server may have the hand
//   again(id)       sends an entry again, even one that was refused or held back, and all others.
//                   With `revision`, a correction replaces this version of the hand
//   flush(id)       sends all entries, one flush at a time in all tabs; returns the result of `id`,
//                   if given: {saved: answer} or {why, problems, form}
//   deliver(entry)  sends one entry to the server; returns the same as `flush`. Pages call it only
//                   for an entry that could not be stored
//   everyone()      returns the entries of all users of this phone
//   find(id)        returns one entry
//   token()         returns the CSRF token
//   fillFacts(root, facts)  shows the facts of an entry in the places for them
//
// An entry: {id, user, who, night, title, to, page, game, dealt, facts, draft, number, after,
// fields, state: "waiting", "held" or "refused", why, problems, newer, tried, sent}. `facts` is
// {pot, showed, won}, and `draft` the headline of the verdict before the connection was lost, or "".
// `number` is the hand's expected number in the night, and `after` lists the ids of the hands that
// this phone recorded before it. `newer` is the revision that a refused correction would replace.
// `document` receives "outbox" after every change, and "hand-saved" ({detail: {entry, answer, shown}})
// when a hand was stored. The code on the server is in league/pages/record/views.py.

import { uuid } from "../common/idempotency-keys.js";

const TIMEOUT = 20000; // milliseconds without a response
const LEASE = 30000; // milliseconds in which no other tab sends
const SOON = 4000; // milliseconds until the first retry; the wait doubles each time
const LATE = 60000;
const TRIES = 3; // after this many server errors for a hand, the next hands are sent first
const FINAL = new Set([400, 404, 409, 413, 422]);
const me = document.body.dataset.user ?? "";
const channel = "BroadcastChannel" in window ? new BroadcastChannel("outbox") : null;
const announce = () => document.dispatchEvent(new CustomEvent("outbox"));
const changed = () => { announce(); channel?.postMessage(null); };
const attempt = (step, otherwise) => step.catch(() => otherwise);
const get = (id) => within("hands", "readonly", (hands) => hands.get(id));

if (channel) channel.onmessage = announce;

export const everyone = async () => (await attempt(within("hands", "readonly", (hands) => hands.getAll()), [])).sort((a, b) => a.dealt - b.dealt);
export const list = async () => (await everyone()).filter((entry) => entry.user === me);
export const find = (id) => attempt(get(id), null);

export async function put(entry) {
  const kept = { ...(await placed(entry)), state: "waiting", why: "", problems: [], tried: 0, sent: false };
  try { await within("hands", "readwrite", (hands) => hands.put(kept)); } catch { return null; }
  navigator.storage?.persist?.().catch(() => null);
  changed();
  return kept;
}

// Hands of one phone are ordered, and a corrected hand keeps its place. Corrections have no number.
async function placed(entry) {
  const { number, after = "" } = Object.fromEntries(entry.fields);
  if (number === undefined) return entry;
  const all = (await list()).filter(({ to }) => to === entry.to);
  const known = all.find(({ id }) => id === entry.id);
  if (known?.number) return { ...entry, dealt: known.dealt, number: known.number, after: known.after };
  const next = Math.max(Number(number), ...all.map((each) => each.number + 1 || 0));
  return { ...entry, number: next, after: [...new Set([...after.split(" "), ...all.map(({ id }) => id)])].filter((id) => id && id !== entry.id) };
}

export const withdraw = (id) => drop(id, (entry) => !entry.sent);
export const discard = (id) => drop(id, (entry) => entry.state !== "waiting");

// Deletes an entry. The hands after it move up, so that no number and no dealer is skipped. The
// check and the changes are one transaction, so that a flush can't intervene.
async function drop(id, may) {
  let gone = null;
  await within("hands", "readwrite", (hands) => {
    hands.getAll().onsuccess = ({ target: { result } }) => {
      gone = result.find((entry) => entry.id === id && may(entry)) ?? null;
      if (gone) hands.delete(id);
      const later = result.filter(({ user, to, number }) => user === gone?.user && to === gone.to && number > gone.number);
      for (const entry of later) hands.put({ ...entry, number: entry.number - 1, after: entry.after.filter((each) => each !== id) });
    };
  });
  changed();
  return Boolean(gone);
}

export async function hold(id) {
  const held = await change(id, (entry) => entry.state !== "refused" && !entry.sent && { ...entry, state: "held" });
  changed();
  return Boolean(held);
}

export async function again(id, revision) {
  await change(id, (entry) => ({ ...upon(entry, revision), state: "waiting", tried: 0 }));
  return flush();
}

const baseOf = ({ fields }) => fields.find(([name]) => name === "revision")?.[1];
const upon = (entry, revision) => (revision ? { ...entry, fields: entry.fields.map(([name, text]) => [name, name === "revision" ? revision : text]) } : entry);

// Deletes a saved hand. Later corrections of the same version were made on this phone, so they
// replace the saved one. It is one transaction, so that no hand that is discarded now is stored again.
async function removeSaved(entry, { revision }) {
  const base = baseOf(entry);
  await within("hands", "readwrite", (hands) => {
    hands.delete(entry.id);
    if (!base || !revision) return;
    hands.getAll().onsuccess = ({ target: { result } }) => {
      for (const each of result.filter(({ user, to, dealt }) => user === entry.user && to === entry.to && dealt > entry.dealt)) {
        if (baseOf(each) === base) hands.put(upon(each, revision));
        else if (each.newer === base) hands.put({ ...each, newer: revision });
      }
    };
  });
}

export const flush = (wanted) => exclusively(() => sendAll(wanted), Boolean(wanted));

async function sendAll(wanted) {
  let outcome = {};
  const stuck = new Set();
  const hands = await list();
  for (const { id } of hands) {
    const entry = await get(id);
    if (!entry || entry.state !== "waiting" || stuck.has(entry.night)) continue;
    const reply = navigator.onLine ? await sendOne(entry, id === wanted) : await storeFailure(entry, { why: "unreached" });
    if (id === wanted) outcome = reply;
    if (reply.why === "unreached" || reply.why === "signed-out") break;
    if (reply.why === "failed" && reply.tried < TRIES) stuck.add(entry.night);
  }
  // The wanted hand was not tried, or another tab has sent it in the meantime.
  if (wanted && !outcome.why && !outcome.saved) outcome = (await get(wanted)) ?? { saved: {} };
  if (hands.length) changed();
  return outcome;
}

async function sendOne(entry, shown) {
  // Mark the hand before sending it. A hand that may have been sent can't be withdrawn on the
  // phone.
  if (!(await mark(entry.id))) return {};
  const reply = await deliver(entry, shown);
  if (!reply.saved) return storeFailure(entry, reply);
  await removeSaved(entry, reply.saved);
  document.dispatchEvent(new CustomEvent("hand-saved", { detail: { entry, answer: reply.saved, shown } }));
  return reply;
}

const mark = (id) => change(id, (entry) => entry.state === "waiting" && { ...entry, sent: true });

// Replaces an entry by the result of `update`, if any, and returns it. It is one transaction, so that
// an entry that is discarded in the meantime is not stored again.
async function change(id, update) {
  let next = null;
  await within("hands", "readwrite", (hands) => {
    hands.get(id).onsuccess = ({ target: { result } }) => {
      next = result && update(result);
      if (next) hands.put(next);
      if (next && next.id !== id) hands.delete(id);
    };
  });
  return next;
}

// Stores the error; after a definite refusal, the hand is returned for correction with the id in
// the response.
async function storeFailure(entry, { why, status, problems = [], form, now, id = entry.id }) {
  const refused = FINAL.has(status);
  const isUnsent = refused || status === 401 || status === 403;
  const newer = now && now !== baseOf(entry) ? now : "";
  const next = await change(entry.id, (kept) => kept.state === "waiting" && ({ ...kept, id, why, problems, newer, sent: !isUnsent && kept.sent, state: refused ? "refused" : "waiting", tried: kept.tried + 1 }));
  return { why, problems, ...next, form };
}

export async function deliver(entry, shown = true, tokens = 1) {
  try {
    const answer = await fetch(entry.to, {
      method: "POST", body: body(entry, shown), redirect: "error", signal: AbortSignal.timeout(TIMEOUT),
      headers: { Accept: "application/json", "Hand-Of": entry.user, "X-CSRFToken": token() },
    });
    const reply = await answer.json().catch(() => ({}));
    if (answer.ok && reply.id === entry.id) return { saved: reply };
    if (answer.status === 403 && !reply.why && tokens) {
      await fetch(entry.page, { credentials: "same-origin" }); // the page contains a fresh token
      return deliver(entry, shown, tokens - 1);
    }
    // A response may come from a proxy, but only the service itself can refuse a hand.
    const refused = FINAL.has(answer.status) && (reply.id || reply.why);
    return { ...reply, why: reply.why ?? (refused ? "refused" : "failed"), status: refused || reply.why ? answer.status : 0 };
  } catch {
    return { why: "unreached" };
  }
}

function body(entry, shown) {
  const fields = new FormData();
  for (const [name, text] of entry.fields) fields.append(name, text);
  fields.set("key", entry.id);
  fields.set("dealt", entry.dealt);
  if (entry.number) { fields.set("number", entry.number); fields.set("after", entry.after.join(" ")); }
  if (shown) fields.set("shown", "1");
  return fields;
}

const CSRF = /(?:^|; )csrftoken=([^;]*)/; // the minifier would shorten it after an arrow
export const token = () => CSRF.exec(document.cookie)?.[1] ?? "";

// The phone's database (IndexedDB): hands to send (`hands`), forms of games (`forms`), and the lease
// of the outbox (`locks`). Every call returns a promise, which is rejected if the phone can't store
// data.
let opened = null;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open("dealers-choice", 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore("hands", { keyPath: "id" });
      asked.result.createObjectStore("forms");
      asked.result.createObjectStore("locks");
    };
    asked.onsuccess = () => {
      asked.result.onversionchange = asked.result.onclose = () => { asked.result.close(); opened = null; };
      resolve(asked.result);
    };
    asked.onerror = asked.onblocked = () => { opened = null; reject(asked.error); };
  });
  return opened;
}

// `operate` receives the store and may return a request. The promise resolves with the result of
// the request once it is written.
export async function within(name, mode, operate) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const step = database.transaction(name, mode, { durability: "strict" });
    const request = operate(step.objectStore(name));
    step.oncomplete = () => resolve(request?.result);
    step.onabort = step.onerror = () => reject(step.error);
  });
}

// Runs only one flush at a time in all tabs of this phone. With `patient`, waits for its turn.
async function exclusively(action, patient) {
  if (navigator.locks) return navigator.locks.request("outbox", { ifAvailable: !patient }, (held) => (held ? action() : {}));
  const holder = uuid();
  while (!(await attempt(take(holder), true))) {
    if (!patient) return {};
    await new Promise((wake) => setTimeout(wake, 250));
  }
  try { return await action(); } finally { await attempt(release(holder)); }
}

// Web Locks require HTTPS. With plain HTTP, a lease in the database replaces the lock. The lease
// expires if its tab was closed.
async function take(holder) {
  let mine = false;
  await within("locks", "readwrite", (locks) => {
    locks.get("outbox").onsuccess = ({ target }) => {
      mine = !(target.result?.until > Date.now());
      if (mine) locks.put({ holder, until: Date.now() + LEASE }, "outbox");
    };
  });
  return mine;
}

const release = (holder) => within("locks", "readwrite", (locks) => {
  locks.get("outbox").onsuccess = ({ target }) => { if (target.result?.holder === holder) locks.delete("outbox"); };
});

// Shows the recorded facts of a hand without a result in the places for them.
export function fillFacts(root, { pot = "", ...players }) {
  root.querySelector("[data-part=facts-pot]").textContent = pot;
  for (const fact of ["showed", "won"]) {
    const names = root.querySelector(`[data-part=facts-${fact}]`);
    names.hidden = !players[fact];
    names.querySelector("span").textContent = players[fact] ?? "";
  }
}

// Sends the entries now, and again later while some are waiting.
let pause = SOON;
let timer = 0;

async function sendWaiting() {
  clearTimeout(timer);
  pause = Math.min(pause * 2, LATE);
  await flush().catch(() => null);
  retryLater();
}

async function retryLater() {
  const isWaiting = (await list()).some(({ state }) => state === "waiting");
  clearTimeout(timer);
  if (isWaiting) timer = setTimeout(sendWaiting, pause);
}

const sendNow = () => { pause = SOON; sendWaiting(); };
addEventListener("online", sendNow);
addEventListener("pageshow", sendNow);
document.addEventListener("visibilitychange", () => { if (!document.hidden) sendNow(); });
document.addEventListener("outbox", retryLater);
