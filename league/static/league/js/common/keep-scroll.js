// Restores the scroll position after a form returns to the page that it was sent from, and opens the
// details that contained the form. Scrolls details that are opened into view.

const KEY = `stay:${location.pathname}`;

document.addEventListener("submit", ({ target }) => {
  if (!target.matches("form[data-stay]")) return;
  try { sessionStorage.setItem(KEY, JSON.stringify([scrollY, target.closest("details[data-reopens]")?.id ?? ""])); } catch { /* without storage, the page opens at the top */ }
});

document.addEventListener("click", ({ target }) => {
  const details = target.closest("summary")?.parentElement;
  if (details && !details.open) requestAnimationFrame(() => details.scrollIntoView({ block: "nearest" }));
});

// Messages are above the restored position, so they stay in sight until the next touch or key.
function keepInSight(notes) {
  notes?.classList.add("in-sight");
  for (const act of ["pointerdown", "keydown"]) addEventListener(act, () => notes?.classList.remove("in-sight"), { once: true });
}

try {
  const [before, id] = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
  sessionStorage.removeItem(KEY);
  document.getElementById(id)?.setAttribute("open", "");
  if (before) {
    scrollTo(0, before);
    keepInSight(document.querySelector("div.notes"));
  }
} catch { /* without storage, the page stays at the top */ }
