// Draws the hands that wait on this phone. Hands that only wait for a connection are folded into one
// line with their number. Hands that need the user's attention are listed below it.

import { again, discard, fillFacts, hold, withdraw } from "./outbox.js";

const part = (root, name) => root.querySelector(`[data-part="${name}"]`);
const words = (name) => document.getElementById("waiting-words").content.querySelector(`[data-say=${name}]`).textContent.trim();
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const isElsewhere = ({ night }) => !location.pathname.includes(night);
const isWaiting = ({ state, why }) => state === "waiting" && (!why || why === "unreached");

export function draw(box, all) {
  // Hands after the first that could not be sent were not tried.
  const halts = all.filter(({ state }) => state === "waiting").map(({ why }) => why);
  const stop = halts.find((why) => why === "unreached" || why === "signed-out") ?? "";
  const entries = all.map((entry) => ({ ...entry, why: entry.why || stop }));
  const waits = entries.filter(isWaiting);
  const is = !stop ? "sending" : waits.length === 1 ? "one" : "many";
  part(box, "count").textContent = words(is).replace("{n}", waits.length);
  part(box, "folded").hidden = !waits.length;
  list(part(box, "hands"), waits);
  list(part(box, "refused"), entries.filter((entry) => !isWaiting(entry)));
}

// The lines stay in the page and are only changed, because a tap on a button that is replaced in the
// meantime would be lost.
function list(hands, entries) {
  const lines = new Map([...hands.children].map((made) => [made.dataset.entry, made]));
  const wanted = entries.map((entry) => line(entry, lines.get(entry.id) ?? document.getElementById("waiting-hand").content.cloneNode(true).firstElementChild));
  for (const made of lines.values()) if (!wanted.includes(made)) made.remove();
  wanted.forEach((made, at) => { if (hands.children[at] !== made) hands.insertBefore(made, hands.children[at] ?? null); });
}

function line(entry, made) {
  made.dataset.entry = entry.id;
  const isRefused = entry.state === "refused" && entry.why !== "gone";
  const isHeld = entry.state === "held";
  const why = isHeld ? "held" : isRefused && entry.newer ? "changed" : isRefused ? "refused" : entry.why;
  part(made, "game").textContent = entry.game;
  part(made, "number").hidden = !entry.number;
  part(made, "number").querySelector("span").textContent = entry.number ?? "";
  fillFacts(made, entry.facts ?? {});
  part(made, "draft").hidden = !entry.draft || isRefused;
  part(made, "draft").querySelector("span").textContent = entry.draft ?? "";
  part(made, "title").textContent = entry.title;
  part(made, "title").parentElement.classList.toggle("elsewhere", isElsewhere(entry));
  part(made, "time").textContent = clock.format(entry.dealt);
  made.querySelectorAll("[data-why]").forEach((each) => { each.hidden = each.dataset.why !== why; });
  part(made, "problems").replaceChildren(...entry.problems.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  made.querySelectorAll("[data-part=sign-in]").forEach((link) => { link.search = `?next=${encodeURIComponent(location.pathname)}`; });
  part(made, "fix").href = `${entry.page}?fix=${entry.id}`;
  part(made, "fix").hidden = !isRefused;
  part(made, "change").onclick = async () => { if (await hold(entry.id)) location.assign(part(made, "fix").href); };
  part(made, "change").hidden = entry.state === "refused" || entry.sent;
  part(made, "unchanged").onclick = () => again(entry.id);
  part(made, "unchanged").hidden = !isHeld;
  part(made, "again").onclick = () => again(entry.id);
  part(made, "anyway").onclick = () => again(entry.id, entry.newer);
  part(made, "anyway").hidden = why !== "changed";
  part(made, "again").hidden = isHeld || !entry.why || why === "changed" || (entry.why === "unreached" && !navigator.onLine);
  part(made, "discard").onclick = () => { if (confirm(`${part(made, "hand").textContent}\n${words("discard")}`)) (entry.state !== "waiting" ? discard : withdraw)(entry.id); };
  part(made, "discard").hidden = entry.state === "waiting" && entry.sent;
  identify(made, entry.id);
  return made;
}

// Each button has the name of its hand.
function identify(made, id) {
  part(made, "hand").id = `hand-${id}`;
  for (const name of ["fix", "change", "anyway", "again", "unchanged"]) part(made, name).setAttribute("aria-describedby", `hand-${id}`);
  part(made, "discard").id = `discard-${id}`;
  part(made, "discard").setAttribute("aria-labelledby", `discard-${id} hand-${id}`);
}
