// Fills in the values that other phones entered for the open deal, until the user changes them on
// this phone. A field with a different value is marked with the name of the other player.

import { proper, split, write } from "../controls/cards.js";
import { stateOf, unfold } from "./players-and-pot.js";

const spelled = (text) => split(text).map(proper).join(" ");

export function take(form) {
  const open = document.querySelector("#table-now [data-deal]");
  const own = open?.dataset.deal === form.elements.deal?.value;
  document.documentElement.classList.toggle("own-deal", own || "again" in form.dataset);
  if (!open || !own) return;
  const rows = new Map([...form.elements].filter(({ name }) => /^players\/\d+\/name$/.test(name)).map(({ name, value }) => [value, name.slice(0, -5)]));
  for (const { dataset: { reported, name, text, who, contested } } of document.querySelectorAll("#table-now [data-reported]")) {
    const at = name ? rows.get(name) : "";
    if (at === undefined) continue;
    const field = form.elements[at ? `${at}/${reported}` : reported];
    if (field instanceof RadioNodeList) tick(field, text);
    else if (field?.matches("select")) choose(field, text);
    else if (field) lay(form, field, text, who, contested !== undefined);
  }
}

// If phones contradict each other, nothing is filled in.
function lay(form, field, text, who, contested) {
  const free = !contested && (!field.value || field.value === (field.dataset.reported ?? field.defaultValue));
  const busy = field.parentElement.querySelector(".slot.next");
  if (free && !busy && field.value !== text) {
    field.dataset.reported = text;
    write(field, split(text));
    const seat = field.closest(".seat[data-state=folded]");
    // The player counts as folded only because others are ticked.
    if (seat && !stateOf(seat).dataset.reported && form.querySelector("[name=showed]:checked")) unfold(seat);
  }
  field.closest(".zone").toggleAttribute("data-otherwise", contested || (Boolean(field.value) && spelled(field.value) !== spelled(text)));
  field.closest(".zone").dataset.who = who;
}

// A fold or a declaration is filled in once, and can then be changed on this phone.
function tick(radios, text) {
  const reported = [...radios].find(({ value }) => value === text);
  if (!reported || radios.value || reported.dataset.reported) return;
  reported.dataset.reported = text;
  reported.checked = true;
  reported.dispatchEvent(new Event("input", { bubbles: true }));
}

function choose(select, text) {
  if (select.dataset.reported === text || !["in", text, select.dataset.reported].includes(select.value)) return;
  if (![...select.options].some(({ value }) => value === text)) return;
  select.dataset.reported = text;
  if (select.value === text && text !== "all-in") return; // "All in" fills in the stack
  select.value = text;
  select.dispatchEvent(new Event("input", { bubbles: true }));
}
