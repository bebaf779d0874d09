// Updates a part of the page to the server's version, except elements that the user is typing in,
// and open elements with fields or buttons. Open text, such as the rules, is updated and stays open.

import { uuid } from "./idempotency-keys.js";

const MESSAGES = "div.notes"; // existing messages stay, and new messages are added
const STILL = "div.notes, #saved-hands, #live, #waiting, #stale, #difference, #outcome, [hidden], script, [data-still]"; // drawn by scripts, or shown only once
const BESIDE = new Set(["open", "disabled", "aria-busy", "hidden"]);
const TOKENS = "[name=csrfmiddlewaretoken]";
const KEYS = "[name=key], [data-key]";
const DIRTY = {
  INPUT: (field) => (field.type === "checkbox" || field.type === "radio" ? field.checked !== field.defaultChecked : field.type !== "hidden" && field.value !== field.defaultValue),
  TEXTAREA: (field) => field.value !== field.defaultValue,
  // If no option is selected, the browser shows the first one.
  SELECT: (field) => field.value !== ([...field.options].findLast((option) => option.defaultSelected) ?? field.options[0])?.value,
};

const TYPED = "input:not([type=checkbox], [type=radio]), textarea, select";
const dirty = (field) => Boolean(DIRTY[field.nodeName]?.(field));

// An element must not change while it is being typed in, is open or is under the finger.
export function held(part) {
  if (part.matches("dialog[open]")) return true;
  if (part.matches("details[open]")) return Boolean(part.querySelector("input:not([type=hidden]), textarea, select, button"));
  if (part.matches("input, textarea, select, form:not([data-by-field])")) {
    const fields = [part, ...part.querySelectorAll("input, textarea, select")];
    return fields.some((field) => dirty(field)) || (part.contains(document.activeElement) && document.activeElement.matches(TYPED));
  }
  return false;
}

export const holds = (part) => [part, ...part.querySelectorAll("details, dialog, input, textarea, select")].some(held);

// Returns whether the whole part could be updated.
export function morph(old, fresh) {
  if (old.isEqualNode(fresh) || (old.nodeType === 1 && old.matches(STILL))) return true;
  if (old.nodeType !== 1 || old.nodeName !== fresh.nodeName) { old.replaceWith(fresh); return true; }
  if (held(old)) return false;
  if (old.nodeName === "FORM" && purpose(old) !== purpose(fresh)) renewKeys(old, fresh);
  if (old.matches(`input[type=hidden]:is(${TOKENS}, ${KEYS})`)) return true;
  const isTick = old.matches("[type=checkbox], [type=radio]");
  if (old.nodeName === "INPUT" && !isTick) old.value = old.defaultValue = fresh.defaultValue;
  attributes(old, fresh);
  if (isTick) old.checked = fresh.defaultChecked;
  if (old.nodeName === "OPTION") old.selected = fresh.defaultSelected;
  return children(old, fresh);
}

// The token and the keys of a form belong to the page, until the form is for something else, such as
// another player's buy-in.
const purpose = (form) => [form.getAttribute("action"), ...[...form.querySelectorAll("input[type=hidden]")].filter((field) => !field.matches(`${TOKENS}, ${KEYS}`)).map(({ name, value }) => `${name}=${value}`)].join("&");

function renewKeys(old, fresh) {
  const keys = fresh.querySelectorAll(KEYS);
  old.querySelectorAll(KEYS).forEach((key, at) => { key.value = keys[at]?.value || uuid(); });
}

function attributes(old, fresh) {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !BESIDE.has(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (!BESIDE.has(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
}

const named = (node) => (node.nodeType === 1 ? node.id || node.getAttribute("action") || node.getAttribute("aria-labelledby") || node.querySelector?.(":scope > a[href]")?.getAttribute("href") || rowOf(node) : "");

// A row or a label belongs to its field, so that typed text never moves to another player.
function rowOf(node) {
  const field = node.matches("tr, label") && node.querySelector("input:not([type=hidden]), select, textarea");
  return field ? `${field.name}=${field.matches("[type=checkbox], [type=radio]") ? field.value : ""}` : "";
}

// Skips kept elements and the white space before them; otherwise the elements after them would be
// mismatched.
const isPassed = (place, next) => (place.nodeType === 1 ? place.matches(STILL) : next.nodeType === 1 && !place.data?.trim());

const kind = (node) => (node.nodeType === 1 ? `${node.nodeName} ${node.classList[0] ?? ""}` : node.nodeName);

// The next unnamed element of this kind. Elements before it are moved behind it. The element itself
// is not moved, so that a field keeps its focus.
function alike(old, place, next) {
  const fits = (node) => !named(node) && kind(node) === kind(next) && !(node.nodeType === 1 && node.matches(STILL));
  if (!place || next.nodeType !== 1) return place && fits(place) ? place : null;
  let match = place;
  while (match && !fits(match)) match = match.nextSibling;
  const after = match?.nextSibling ?? null;
  while (match && place !== match) { const skipped = place; place = place.nextSibling; old.insertBefore(skipped, after); }
  return match;
}

function children(old, fresh) {
  let whole = true;
  const known = new Map();
  for (const node of [...old.childNodes].filter(named)) known.set(named(node), [...known.get(named(node)) ?? [], node]);
  let place = old.firstChild;
  for (const next of [...fresh.childNodes]) {
    if (next.nodeType === 1 && next.matches(STILL)) { if (next.matches(MESSAGES)) old.insertBefore(next, place); continue; }
    const name = named(next);
    while (place && isPassed(place, next)) place = place.nextSibling;
    const match = name ? known.get(name)?.shift() : alike(old, place, next);
    if (!match) { old.insertBefore(next, place); continue; }
    if (match === place || !name) place = match.nextSibling; else old.insertBefore(match, place);
    whole = morph(match, next) && whole;
  }
  while (place) {
    const gone = place;
    place = place.nextSibling;
    if (gone.nodeType === 1 && gone.matches(STILL)) continue;
    if (gone.nodeType === 1 && (held(gone) || [...gone.querySelectorAll("details, form")].some(held))) whole = false;
    else gone.remove();
  }
  return whole;
}
