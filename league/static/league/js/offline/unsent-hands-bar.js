// Shows the hands in the outbox and their errors on every page, and warns before a user with unsent
// hands signs out. Every page loads this script, so it also loads three others when they are needed:
// the age of a page from the cache, the download for offline use, and stars that were not sent.

import { outboxId } from "../record/hand-draft.js";
import { again, discard, everyone, fillFacts, withdraw } from "./outbox.js";

const HALTS = new Set(["unreached", "signed-out"]);
const box = document.getElementById("waiting");
const template = (id) => document.getElementById(id).content;
const part = (root, name) => root.querySelector(`[data-part="${name}"]`);
const clock = (at) => new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(at);
const me = document.body.dataset.user;
// On pages of other nights, a hand's night is named.
const isElsewhere = ({ night }) => !location.pathname.includes(night);

async function refresh() {
  const all = await everyone();
  const shown = all.filter((entry) => entry.user === me && entry.id !== outboxId);
  const others = new Set(all.filter((entry) => entry.user !== me).map((entry) => entry.who));
  // Hands after the first that could not be sent were not tried.
  const stop = shown.find(({ state, why }) => state === "waiting" && HALTS.has(why))?.why ?? "";
  list(shown.map((entry) => ({ ...entry, why: entry.why || stop })));
  // The waiting hand may be the next deal of the match.
  document.querySelectorAll("[data-next-deal]").forEach((link) => { link.hidden = shown.some(({ night }) => night === link.dataset.nextDeal); });
  part(box, "others").hidden = !others.size;
  part(box, "others").querySelector("span").textContent = [...others].join(", ");
  box.hidden = !shown.length && !others.size;
}

// The lines stay in the page and are only changed, because a tap on a button that is replaced in the
// meantime would be lost.
function list(entries) {
  const hands = part(box, "hands");
  const lines = new Map([...hands.children].map((made) => [made.dataset.entry, made]));
  const wanted = entries.map((entry) => line(entry, lines.get(entry.id) ?? template("waiting-hand").cloneNode(true).firstElementChild));
  for (const made of lines.values()) if (!wanted.includes(made)) made.remove();
  wanted.forEach((made, at) => { if (hands.children[at] !== made) hands.insertBefore(made, hands.children[at] ?? null); });
}

function line(entry, made) {
  made.dataset.entry = entry.id;
  const why = entry.state !== "waiting" && entry.why !== "gone" ? "refused" : entry.why;
  part(made, "game").textContent = entry.game;
  part(made, "number").hidden = !entry.number;
  part(made, "number").querySelector("span").textContent = entry.number ?? "";
  fillFacts(made, entry.facts ?? {});
  part(made, "draft").hidden = !entry.draft || why === "refused";
  part(made, "draft").querySelector("span").textContent = entry.draft ?? "";
  part(made, "pending").hidden = Boolean(entry.draft) || !HALTS.has(why);
  part(made, "title").textContent = entry.title;
  part(made, "title").parentElement.classList.toggle("elsewhere", isElsewhere(entry));
  part(made, "time").textContent = clock(entry.dealt);
  made.querySelectorAll("[data-why]").forEach((each) => { each.hidden = each.dataset.why !== why; });
  part(made, "problems").replaceChildren(...entry.problems.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  made.querySelectorAll("[data-part=sign-in]").forEach((link) => { link.search = `?next=${encodeURIComponent(location.pathname)}`; });
  part(made, "fix").href = `${entry.page}?fix=${entry.id}`;
  part(made, "fix").hidden = why !== "refused";
  part(made, "again").onclick = () => again(entry.id);
  part(made, "again").hidden = !entry.why || (entry.why === "unreached" && !navigator.onLine);
  part(made, "discard").onclick = () => { if (confirm(`${part(made, "hand").textContent}\n${say("discard")}`)) (entry.state !== "waiting" ? discard : withdraw)(entry.id); };
  part(made, "discard").hidden = entry.state === "waiting" && entry.sent;
  identify(made, entry.id);
  return made;
}

// Each button has the name of its hand.
function identify(made, id) {
  part(made, "hand").id = `hand-${id}`;
  for (const name of ["fix", "again"]) part(made, name).setAttribute("aria-describedby", `hand-${id}`);
  part(made, "discard").id = `discard-${id}`;
  part(made, "discard").setAttribute("aria-labelledby", `discard-${id} hand-${id}`);
}

const say = (name) => template("waiting-words").querySelector(`[data-say=${name}]`).textContent;

addEventListener("pageshow", refresh);
document.addEventListener("outbox", refresh);

// Shows which hands were stored. A page that shows their night updates itself
// (common/live-updates.js).
document.addEventListener("hand-saved", ({ detail: { entry, answer, shown } }) => {
  if (shown) return;
  const list = document.getElementById("saved-hands");
  const made = template("saved-hand").cloneNode(true).firstElementChild;
  // Here, "refused" means that the host kept another phone's version (`OUTCOMES` in
  // league/pages/record/views.py), and not that the server refused the entry, as in outbox.js.
  const isOtherKept = answer.outcome === "waiting" || answer.outcome === "refused";
  made.classList.add(isOtherKept ? "warn" : "success");
  Object.assign(part(made, "says"), { href: answer.at, textContent: isElsewhere(entry) ? `${entry.title} · ${answer.says}` : answer.says });
  part(made, "headline").textContent = isOtherKept ? "" : answer.headline;
  list.append(made);
  list.hidden = false;
});

if (document.documentElement.dataset.kept) import("./age-of-cached-page.js");

// Warns before a user with unsent hands signs out.
document.querySelector("[data-sign-out]")?.addEventListener("submit", async (event) => {
  const form = event.target;
  event.preventDefault();
  const waits = (await everyone()).some((entry) => entry.user === me);
  if (!waits || confirm(say("leave"))) form.submit();
});

addEventListener("load", () => setTimeout(() => import("./download-for-offline.js"), 1500));

// Sends the stars that have not been sent yet.
try { if (localStorage.getItem(`stars:${me}`)) import("../games/favourites.js"); } catch { /* a phone that keeps nothing */ }
