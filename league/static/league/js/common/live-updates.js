// Keeps a page up to date: checks for changes on the server every two seconds (every second while a
// deal is open), and redraws only the changed parts.
//
// Fields that the user is typing in and elements that are open stay unchanged. They are redrawn
// when the user leaves them. `document` receives "redrawn" after a part was redrawn.

import { seeTables } from "../night/last-hand-seen.js";

const EVERY = 2000; // milliseconds
const DEALING = 1000; // while a deal is open
const LONGEST_WAIT = 30000;
const live = () => document.getElementById("live");
const parts = () => [...document.querySelectorAll(live().dataset.parts)];
let version = live().dataset.version;
const often = () => (document.querySelector("[data-deal]") ? DEALING : EVERY);
let wait = often();
let misses = 0;
let timer = 0;
let asking = false;
let latest = null;
const updating = () => import("./update-around-typing.js"); // loaded when something has changed

// A page from the cache already shows that there is no connection.
const isSaid = (what) => what === "unreached" && document.getElementById("stale")?.hidden === false;
const say = (what) => live().querySelectorAll("[data-says]").forEach((note) => { note.hidden = note.dataset.says !== what || isSaid(what); });

// Hands of other phones are reported if they are newer than the form and than the last hand that
// this page sent.
let sent = 0;
function source() {
  if (!live().dataset.from) return location.href;
  const seen = document.querySelector("[name=seen]")?.value;
  return `${live().dataset.from}seen=${seen ? Math.max(seen, sent) : ""}`;
}

const get = (address, headers = {}) => fetch(address, { headers, cache: "no-store", signal: AbortSignal.timeout(10000) });

async function ask() {
  const answer = await get(live().dataset.pulse, { "If-None-Match": `"${version}"` });
  if (answer.status === 401 || answer.status === 404) return "out";
  if (answer.status === 304) return "";
  if (!answer.ok) throw new Error(answer.status);
  const result = await answer.json();
  if (await fetchPage()) version = String(result.version);
  return "";
}

async function fetchPage() {
  const page = await get(source());
  if (!page.ok) throw new Error(page.status);
  if (page.redirected) return leave(page.url);
  latest = new DOMParser().parseFromString(await page.text(), "text/html");
  return true;
}

// The night is closed, so this page redirects, unless the user is typing.
async function leave(to) {
  const { holds } = await updating();
  if (!parts().some(holds)) location.replace(to);
  return false;
}

async function draw() {
  if (!latest) return;
  const { morph } = await updating();
  if (!latest) return; // drawn in the meantime
  let whole = true;
  for (const part of parts()) {
    const fresh = latest.querySelector(part.id ? `#${CSS.escape(part.id)}` : part.tagName);
    if (!fresh) continue;
    whole = morph(part, document.importNode(fresh, true)) && whole;
    window.htmx?.process(part);
  }
  if (whole) latest = null;
  seeTables();
  document.dispatchEvent(new CustomEvent("redrawn"));
}

async function turn() {
  clearTimeout(timer);
  if (asking || document.hidden) return;
  asking = true;
  try {
    const says = await ask();
    misses = 0;
    wait = often();
    say(says);
    if (says === "out") return;
  } catch {
    misses += 1;
    wait = Math.min(wait * 2, LONGEST_WAIT);
    if (misses > 1 || !navigator.onLine) say("unreached");
  } finally {
    asking = false;
  }
  await draw().catch(() => null); // without a connection, the module can't be loaded
  timer = setTimeout(turn, misses ? wait : often());
}

const wake = () => { wait = EVERY; turn(); };
addEventListener("online", wake);
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  document.querySelector(".undo")?.remove(); // expired while in the background
  wake();
});
document.addEventListener("visibilitychange", wake);
document.addEventListener("hand-saved", ({ detail: { entry, answer, shown } }) => {
  if (entry.night === document.querySelector("[data-table]")?.dataset.table) sent = Math.max(sent, answer.number ?? 0);
  if (!shown) wake(); // otherwise the user leaves for the night's page
});
document.addEventListener("refresh-wanted", () => fetchPage().then(draw).catch(() => null));

// The script may run before the whole page is parsed.
function start() {
  seeTables();
  timer = setTimeout(turn, EVERY);
}

if (document.readyState === "loading") addEventListener("DOMContentLoaded", start);
else start();
