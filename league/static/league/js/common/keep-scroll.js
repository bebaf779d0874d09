// Restores the scroll position after a form returns to the page that it was sent from, and opens the
// details that contained the form.

const KEY = `stay:${location.pathname}`;

document.addEventListener("submit", ({ target }) => {
  if (!target.matches("form[data-stay]")) return;
  try { sessionStorage.setItem(KEY, JSON.stringify([scrollY, target.closest("details[data-reopens]")?.id ?? ""])); } catch { /* a phone that keeps nothing: the top it is */ }
});

try {
  const [before, id] = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
  sessionStorage.removeItem(KEY);
  document.getElementById(id)?.setAttribute("open", "");
  if (before) scrollTo(0, before);
} catch { /* likewise */ }
