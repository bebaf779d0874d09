// Runs before the page is drawn, so that what scripts replace is never seen to jump.
document.documentElement.classList.add("scripted");
