// Keeps an unsaved game on the phone: one draft for each page on which a game is written.

const HEAD = "game-draft:";
const key = () => HEAD + location.pathname.replace(/\/try$/, "/write") + location.search;
const same = (one, other) => one.replaceAll("\r\n", "\n").trim() === other.replaceAll("\r\n", "\n").trim();

export const keep = (text) => attempt(() => localStorage.setItem(key(), text));
export const forget = () => attempt(() => localStorage.removeItem(key()));
export const kept = () => attempt(() => localStorage.getItem(key()));

// A draft that has been saved is none any more, on whichever page it was written.
export function saved(text) {
  attempt(() => {
    const drafts = Object.keys(localStorage).filter((name) => name.startsWith(HEAD));
    for (const name of drafts) if (same(localStorage.getItem(name), text)) localStorage.removeItem(name);
  });
}

// A phone may keep nothing at all (private windows); then the page works without.
function attempt(step) {
  try { return step(); } catch { return null; }
}
