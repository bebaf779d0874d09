// Compares the closings that the server lists with the last one this phone has seen. Each closing
// contains the hash of the one before it, so a rewritten or shortened history is detected.

const attempt = (step) => { try { return step(); } catch { return null; } };
const box = () => document.getElementById("closings-check");
const place = `head:${box().dataset.league}`;
const seen = () => attempt(() => JSON.parse(localStorage.getItem(place)));
const keep = (sequence, hash) => attempt(() => localStorage.setItem(place, JSON.stringify({ sequence, hash })));

async function ask(since) {
  const answer = await fetch(`${box().dataset.address}?since=${since}`, { cache: "no-store" });
  if (!answer.ok || answer.redirected) throw new Error("no answer");
  return answer.json();
}

// A cached page, or a page in another tab, may be older than the last closing seen, so the service
// is queried.
async function look() {
  const last = seen();
  const { sequence, hash } = box().dataset;
  if (!last?.sequence) keep(Number(sequence), hash);
  else if (last.sequence !== Number(sequence) || last.hash !== hash) await follow(last);
}

async function follow(last) {
  const server = await ask(last.sequence);
  if (server.last < last.sequence) return say("fewer", last, server.last);
  let [head, ...rest] = server.closings;
  if (head?.sequence !== last.sequence || head.hash !== last.hash) return say("other", last, server.last);
  while (head.sequence < server.last) {
    for (const next of rest) {
      if (next.sequence !== head.sequence + 1 || next.previous_hash !== head.hash) return say("other", last, server.last);
      head = next;
    }
    if (head.sequence < server.last) rest = (await ask(head.sequence + 1)).closings;
    if (!rest.length) return say("other", last, server.last);
  }
  return keep(head.sequence, head.hash);
}

function say(past, last, now) {
  const banner = box().firstElementChild;
  const fill = (name, text) => banner.querySelectorAll(`[data-${name}]`).forEach((each) => { each.textContent = text; });
  fill("seen", last.sequence);
  fill("now", now);
  fill("seal", last.hash.slice(0, 16).match(/.{4}/g).join(" "));
  for (const words of banner.querySelectorAll("[data-past]")) words.hidden = words.dataset.past !== past;
  banner.hidden = false;
}

async function goOn() {
  const { last } = await ask(0);
  const { closings: [head] } = await ask(last);
  keep(last, head?.hash ?? "");
  box().firstElementChild.hidden = true;
}

document.addEventListener("click", ({ target }) => { if (target.closest("#closings-check button")) goOn().catch(() => null); });
document.addEventListener("redrawn", () => look().catch(() => null));
look().catch(() => null);
