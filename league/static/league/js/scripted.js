// Runs before the page is drawn, so that what scripts replace is never seen to jump.
document.documentElement.classList.add("scripted");
// Keys in a search that is quicker than its script wait for it.
addEventListener("keydown", ({ key, target }) => { if (["Enter", "ArrowDown"].includes(key) && target.matches?.("[data-search]")) target.dataset.entered = key; });
