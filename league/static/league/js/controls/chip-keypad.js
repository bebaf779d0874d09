// The chip keypad: chips to toss in, and digits for an exact number.

import { icon, words } from "./cards.js";
import { cue, isUp, rise, says, show, sink } from "./bottom-sheet.js";

const pad = document.createElement("div");
const sum = document.createElement("output");
let field = null;
let fresh = true;
let then = null;

const user = { step, closed: () => { field = null; } };
const form = () => document.querySelector("form[data-chips]");
const fields = () => [...form().querySelectorAll("input[data-chips]")].filter((each) => each.checkVisibility?.() ?? true);

// `onward` opens the step after the last field and returns whether there is a next step.
export function open(input, onward = null) {
  field = input;
  then = onward;
  fresh = true;
  if (!pad.children.length) build();
  rise(user, pad);
  refresh();
}

function refresh() {
  sum.className = field.value ? "sum" : "sum faint";
  sum.textContent = field.value || field.placeholder || "0";
  says(field.dataset.label);
  show(field.closest(".seat, .stake, .line, tr"));
  beside.tell?.(field);
}

// Additional keys that a page shows next to the digits. They are called with their field.
const beside = {};
export function extend(row, tell) {
  if (!pad.children.length) build();
  pad.append(row);
  beside.tell = tell;
}

export function set(value) {
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  refresh();
}

const toss = (chips) => { fresh = false; set(String((Number(field.value || field.placeholder) || 0) + chips)); };
const digit = (text) => { set(fresh || field.value === "0" ? text : (field.value + text).slice(0, 13)); fresh = false; };
const erase = () => { fresh = false; set(field.value.slice(0, -1)); };
const clear = () => { fresh = true; set(""); };

export function step(by) {
  if (by > 0 && then?.()) return;
  const all = fields();
  const next = all[all.indexOf(field) + by];
  if (next) open(next);
  else if (by > 0) { sink(); cue(); }
}

function build() {
  const tray = document.createElement("div");
  const keys = document.createElement("div");
  tray.className = "tray";
  keys.className = "pad";
  const chips = form().dataset.chips.split(" ").map(Number);
  tray.append(...chips.map((each, colour) => button(`chip v${colour}`, String(each), () => toss(each), `${words.toss} ${each}`)));
  keys.append(
    ..."123".split("").map(number), tool("erase", erase),
    ..."456".split("").map(number), button("key tool", words.clear, clear),
    ..."789".split("").map(number), number("0"),
  );
  pad.append(sum, tray, keys);
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
document.addEventListener("input", (event) => { if (field && isUp() && event.target === field) refresh(); });
