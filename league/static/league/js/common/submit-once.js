// Disables the buttons of a form after the first tap and renews its keys when the page is shown
// again, so that nothing is sent twice. Any form that comes back with errors shows the first one.

import { renew } from "./idempotency-keys.js";

const forms = () => document.querySelectorAll("form[data-once]");
const rest = (form, resting) => form.querySelectorAll("button").forEach((button) => { button.disabled = resting; });

document.addEventListener("submit", ({ target }) => { if (target.matches("form[data-once]")) setTimeout(rest, 0, target, true); });
addEventListener("pageshow", () => { renew(); forms().forEach((form) => rest(form, false)); });

document.querySelector("form [aria-invalid=true]")?.focus();
