// Marks the page as scripted before it is drawn, so that parts replaced by scripts do not flash.

document.documentElement.classList.add("scripted");
// Stores keys typed into a search before its script has loaded.
addEventListener("keydown", ({ key, target }) => { if (["Enter", "ArrowDown"].includes(key) && target.matches?.("[data-search]")) target.dataset.entered = key; });
// A hint for new users is shown until it is dismissed on this phone.
try {
  document.documentElement.classList.toggle("knows", "knows" in localStorage);
} catch { /* the browser stores nothing: the hint stays */ }
addEventListener("click", ({ target }) => {
  if (!target.matches?.("[data-knows]")) return;
  document.documentElement.classList.add("knows");
  try { localStorage.setItem("knows", "1"); } catch { /* without storage, only for this page */ }
});
