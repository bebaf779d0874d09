// Keeps an unsaved game on the phone: one draft for each page on which a game is written.

const HEAD = "game-draft:";
const key = () => HEAD + location.pathname.replace(/\/try$/, "/write") + location.search;
export const same = (one, other) => one.replaceAll("\r\n", "\n").trim() === other.replaceAll("\r\n", "\n").trim();

export const keep = (text) => attempt(() => localStorage.setItem(key(), text));
export const forget = () => attempt(() => localStorage.removeItem(key()));
export const storedDraft = () => attempt(() => localStorage.getItem(key()));

// The choices that wrote a game, until the tab is closed.
const CHOICES = "game-choices";
export const keepChoices = (values) => attempt(() => sessionStorage.setItem(CHOICES, JSON.stringify(values)));
export const storedChoices = () => attempt(() => JSON.parse(sessionStorage.getItem(CHOICES)));

// When a game is saved, its draft is deleted, regardless of the page on which it was written.
export function saved(text) {
  attempt(() => {
    const drafts = Object.keys(localStorage).filter((name) => name.startsWith(HEAD));
    for (const name of drafts) if (same(localStorage.getItem(name), text)) localStorage.removeItem(name);
  });
}

// Storage may be unavailable (private windows); the page works without it.
function attempt(step) {
  try { return step(); } catch { return null; }
}
