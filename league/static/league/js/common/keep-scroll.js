// Restores the scroll position after a form returns to the page that it was sent from.

const KEY = `stay:${location.pathname}`;

document.addEventListener("submit", ({ target }) => {
  if (!target.matches("form[data-stay]")) return;
  try { sessionStorage.setItem(KEY, String(scrollY)); } catch { /* a phone that keeps nothing: the top it is */ }
});

try {
  const before = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (before) scrollTo(0, Number(before));
} catch { /* likewise */ }
