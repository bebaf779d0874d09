// A form that must not be sent twice: fresh keys, and a button that rests after the first tap.

import { renew } from "./key.js";

const forms = () => document.querySelectorAll("form[data-once]");
const rest = (form, resting) => form.querySelectorAll("button").forEach((button) => { button.disabled = resting; });

document.addEventListener("submit", ({ target }) => { if (target.matches("form[data-once]")) setTimeout(rest, 0, target, true); });
addEventListener("pageshow", () => { renew(); forms().forEach((form) => rest(form, false)); });
