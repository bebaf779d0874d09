// The chip keypad: tap chips to add them, or enter an exact number. On pages that count by colour,
// a tap on a chip adds a piece of its colour, and the digits that follow set the number of pieces.

import { icon, words } from "./cards.js";
import { closeSheet, isSheetOpen, offerCards, openSheet, setTitle, show, signalDone } from "./bottom-sheet.js";
import { countPieces, piecesIn } from "./count-by-colour.js";

const MOST_DIGITS = 4; // of a number of pieces

const pad = document.createElement("div");
const sum = document.createElement("output");
let field = null;
let fresh = true;
let then = null;
let colour = null; // the value of the chips that the digits count
const tray = document.createElement("div");

const user = { step, closed: () => { field = null; } };
const form = () => document.querySelector("form[data-chips]");
const fields = () => [...form().querySelectorAll("input[data-chips]")].filter((each) => each.checkVisibility?.() ?? true);

// `onward` opens the step after the field and returns whether there is a next step. Without it, the
// next field follows, unless `lead` names a step.
let stepAfter = () => null;
export const lead = (of) => { stepAfter = of; };
export function open(input, onward = stepAfter(input)) {
  field = input;
  then = onward;
  fresh = true;
  colour = null;
  if (!pad.children.length) build();
  openSheet(user, pad);
  offerCards(then !== null);
  refresh();
}

function refresh() {
  sum.className = field.value ? "sum" : "sum faint";
  sum.textContent = field.value || field.placeholder || "0";
  setTitle(field.dataset.label);
  tray.childNodes.forEach(showPieces);
  show(field.closest(".seat, .stake, .line, tr, .field"));
  extension.draw?.(field);
}

// Adds a row of keys below the digits. `draw(field)` draws the row for the current field.
const extension = {};
export function extend(row, draw) {
  if (!pad.children.length) build();
  pad.append(row);
  extension.draw = draw;
}

export function set(value) {
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  refresh();
}

// Returns whether a step is set to follow the field.
export const leads = () => then !== null;

function showPieces(chip) {
  const { value, label } = chip.dataset;
  const number = piecesIn(field).get(Number(value));
  chip.querySelector("small").textContent = number || "";
  chip.querySelector("small").hidden = !number;
  chip.ariaLabel = number ? `${label}: ${number}` : label;
  if (byColour()) chip.ariaPressed = String(Number(value) === colour);
}

const byColour = () => "byColour" in form().dataset;
const count = (number) => set(countPieces(field, colour, number));
const counted = () => piecesIn(field).get(colour) ?? 0;

function addChip(chips) {
  fresh = byColour();
  colour = fresh ? chips : null;
  if (fresh) count(counted() + 1);
  else set(String(Number(field.value || 0) + chips));
}

function digit(text) {
  const before = colour === null ? field.value : String(counted());
  const typed = fresh || before === "0" ? text : before + text;
  if (colour === null) set(typed.slice(0, 13));
  else count(Number(typed.slice(0, MOST_DIGITS)));
  fresh = false;
}

function erase() {
  fresh = false;
  if (colour === null) set(field.value.slice(0, -1));
  else count(Math.floor(counted() / 10));
}

function clear() {
  fresh = true;
  colour = null;
  set("");
}

export function step(by) {
  if (by > 0 && then?.()) return;
  const all = fields();
  const next = all[all.indexOf(field) + by];
  if (next) open(next);
  else if (by > 0) { closeSheet(); signalDone(); }
}

function build() {
  const keys = document.createElement("div");
  tray.className = "tray";
  keys.className = "pad";
  tray.append(...chips().map(chip));
  tray.classList.toggle("coloured", "chipSet" in form().dataset);
  keys.append(
    ..."123".split("").map(number), tool("erase", erase),
    ..."456".split("").map(number), button("key tool", words.clear, clear),
    ..."789".split("").map(number), number("0"),
  );
  pad.append(sum, tray, keys);
}

function chips() {
  const { chipSet, chips: values } = form().dataset;
  if (chipSet) return JSON.parse(chipSet);
  return values.split(" ").map((value, place) => ({ value: Number(value), face: value, look: `v${place}`, label: `${words.toss} ${value}` }));
}

function chip({ value, face, look = "", colour: name, label }) {
  const made = button(`chip ${look}${face.length > 3 ? " long" : ""}`, face, () => addChip(value), label);
  Object.assign(made.dataset, { value, label }, name && { colour: name });
  made.append(document.createElement("small"));
  return made;
}

const number = (text) => button("key", text, () => digit(text));

export function button(look, text, act, label = text) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = look;
  made.textContent = text;
  made.ariaLabel = label;
  made.addEventListener("click", act);
  return made;
}

function tool(name, act) {
  const made = button("key tool", "", act, words[name]);
  made.append(icon(name));
  return made;
}

// Typed digits go into the field itself, and the keypad shows the result.
document.addEventListener("input", (event) => {
  if (!field || !isSheetOpen() || event.target !== field) return;
  if (event.isTrusted) colour = null;
  refresh();
});
