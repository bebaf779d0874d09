// Keeps the screen on while the page shows a clock or a deal: an element with data-stay-awake.

let lock = null;

async function follow() {
  const wanted = !document.hidden && document.querySelector("[data-stay-awake]");
  try {
    if (!wanted) await lock?.release();
    else if (!lock || lock.released) lock = await navigator.wakeLock?.request("screen");
  } catch { /* the battery is low */ }
}

document.addEventListener("visibilitychange", follow);
document.addEventListener("redrawn", follow);
follow();
