// Disables the buttons of a form after the first tap and renews its keys when the page is shown
// again, so that nothing is sent twice. Any form that comes back with errors shows the first one.

import { renew, uuid } from "./idempotency-keys.js";

const forms = () => document.querySelectorAll("form[data-once]");
const setDisabled = (form, isDisabled) => form.querySelectorAll("button").forEach((button) => { button.disabled = isDisabled; });

// A key with `data-key="form"` belongs to the fields of its form. The form can be sent again after a
// lost response, and gets a new key only if its fields were changed since.
const sent = new WeakMap();
const fieldsOf = (form, key) => JSON.stringify([...new FormData(form)].filter(([name]) => name !== key.name));

function keyFor(form) {
  const key = form.querySelector("input[data-key=form]");
  if (!key) return;
  const fields = fieldsOf(form, key);
  if (sent.has(form) && sent.get(form) !== fields) key.value = uuid();
  sent.set(form, fields);
}

document.addEventListener("submit", ({ target }) => {
  if (!target.matches("form[data-once]")) return;
  keyFor(target);
  setTimeout(setDisabled, 0, target, true);
});
addEventListener("pageshow", ({ persisted }) => {
  renew(persisted ? ":not([data-key=form])" : "");
  forms().forEach((form) => setDisabled(form, false));
});

document.querySelector("form [aria-invalid=true]")?.focus();
