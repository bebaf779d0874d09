// Prepares the phone to work without a connection: starts the service worker and fetches this
// night's pages and the games' forms.

import "./unsent-hand-lines.js"; // without a worker, it must be loaded before the connection is lost
import { prefetch } from "./draw-game-form.js";

const pages = [...document.querySelectorAll("a[data-keep]")].map((link) => link.pathname).filter(Boolean);

// The worker requires HTTPS or localhost; on plain HTTP only the outbox is available.
async function ask() {
  await navigator.serviceWorker.register("/service-worker.js", { updateViaCache: "none" });
  const { active } = await navigator.serviceWorker.ready;
  active.postMessage({ keep: [...new Set([location.pathname, "/", ...pages])] });
}
if ("serviceWorker" in navigator) ask().catch(() => null);
// When a night is updated, its recording page changes too.
document.addEventListener("redrawn", () => navigator.serviceWorker?.controller?.postMessage({ keep: pages }));

const asks = document.querySelector("[data-forms]");
if (asks && !navigator.connection?.saveData) prefetch(asks.dataset.forms).catch(() => null);
