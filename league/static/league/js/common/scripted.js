// Marks the page as scripted before it is drawn, so that parts that scripts replace never flash.

document.documentElement.classList.add("scripted");
// Stores keys typed into a search before its script has loaded.
addEventListener("keydown", ({ key, target }) => { if (["Enter", "ArrowDown"].includes(key) && target.matches?.("[data-search]")) target.dataset.entered = key; });
