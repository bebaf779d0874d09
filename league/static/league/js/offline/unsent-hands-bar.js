// Shows the hands in the outbox and their errors on every page, and warns before a user with unsent
// hands signs out. Every page loads this script, so it also loads four others when they are needed:
// the lines of the hands, the age of a page from the cache, the download for offline use, and stars
// that were not sent.

import { outboxId } from "../record/hand-draft.js";
import { everyone } from "./outbox.js";

const box = document.getElementById("waiting");
const template = (id) => document.getElementById(id).content;
const part = (root, name) => root.querySelector(`[data-part="${name}"]`);
const me = document.body.dataset.user;
// On pages of other nights, a hand's night is named.
const isElsewhere = ({ night }) => !location.pathname.includes(night);

async function refresh() {
  const all = await everyone();
  if (!all.length && box.hidden) return;
  const shown = all.filter((entry) => entry.user === me && entry.id !== outboxId);
  const others = new Set(all.filter((entry) => entry.user !== me).map((entry) => entry.who));
  // The waiting hand may be the next deal of the match.
  document.querySelectorAll("[data-next-deal]").forEach((link) => { link.hidden = shown.some(({ night }) => night === link.dataset.nextDeal); });
  part(box, "others").hidden = !others.size;
  part(box, "others").querySelector("span").textContent = [...others].join(", ");
  box.hidden = !shown.length && !others.size;
  (await import("./unsent-hand-lines.js")).draw(box, shown);
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
