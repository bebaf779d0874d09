// Marks the page as scripted before it is drawn, so that parts that scripts replace never flash.

document.documentElement.classList.add("scripted");
// Keys in a search that is quicker than its script wait for it.
addEventListener("keydown", ({ key, target }) => { if (["Enter", "ArrowDown"].includes(key) && target.matches?.("[data-search]")) target.dataset.entered = key; });
