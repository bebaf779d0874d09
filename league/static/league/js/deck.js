// The deck to tap: every card a key, used ones greyed, the next empty slot filling itself.

import { SUITS, UNSEEN, draw, icon, proper, split, words } from "./cards.js";
import { isUp, rise, says, show, sink } from "./sheet.js";
import { hand, least, most, seen, slotsOf, used, write, zones } from "./slots.js";

const ROWS = ["AKQJT98", "765432"];
const TOOLS = { s: ["erase", erase], h: ["unseen", () => put(UNSEEN)], c: ["keys", type], d: ["check", () => step(1)] };

const grid = document.createElement("div");
const typed = document.createElement("div");
let drawn = "";
let zone = null;
let place = 0;
let rank = "";

const user = { step, closed };

export function open(input, at = hand(input).length) {
  zone = input;
  place = Math.min(at, hand(input).length, most(input) - 1);
  lay(document.getElementById("record").dataset.deck);
  rise(user, grid);
  refresh();
}

function closed(within) {
  const slots = slotsOf(zone);
  mark(null);
  zone = null;
  if (within) slots.at(Math.min(place, slots.length - 1))?.focus();
}

// For whoever goes by keys: into the deck, where arrows lead from card to card.
export function enter() {
  reach([...grid.children].find((key) => !key.matches(".used, .missing")));
}

function reach(key) {
  if (!key) return;
  grid.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
  key.tabIndex = 0;
  key.focus();
}

const MOVES = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 7, ArrowUp: -7 };

function arrow(from, move) {
  const keys = [...grid.children];
  let at = keys.indexOf(from) + move;
  while (keys[at]?.matches(".missing")) at += move;
  reach(keys[at]);
}

export function refresh() {
  if (!zone) return;
  const taken = used(zone, place);
  for (const key of grid.children) key.classList.toggle("used", taken.has(key.dataset.card));
  for (const key of grid.children) key.ariaDisabled = key.classList.contains("used");
  grid.querySelector('[data-tool="unseen"]').classList.toggle("missing", !zone.dataset.unseen);
  says(`${zone.dataset.label} · ${Math.min(place + 1, most(zone))}/${most(zone)}`);
  mark(slotsOf(zone)[place]);
  show(zone.closest(".seat, .felt"), zone.closest(".zone"), slotsOf(zone)[place]);
}

function mark(slot) {
  document.querySelectorAll(".slot.next").forEach((each) => each.classList.remove("next"));
  slot?.classList.add("next");
}

function put(card) {
  if (used(zone, place).has(card) && card !== UNSEEN) return;
  const cards = hand(zone);
  cards[place] = card;
  write(zone, cards);
  if (cards.length < most(zone)) open(zone, cards.length);
  else step(1);
}

function erase() {
  const cards = hand(zone);
  cards.splice(place < cards.length ? place : -1, 1);
  write(zone, cards);
  open(zone, cards.length);
}

// To the next zone that still has room, or back to the one before; past the end the sheet sinks.
function step(by) {
  const all = zones().filter((each) => each.dataset.group === zone.dataset.group && seen(each));
  const ahead = by > 0 ? all.slice(all.indexOf(zone) + 1) : all.slice(0, all.indexOf(zone)).reverse();
  const next = by > 0 ? ahead.find((each) => hand(each).length < most(each)) ?? behind(all) : ahead[0];
  if (next && next !== zone) open(next);
  else if (by > 0) finish();
}

const behind = (all) => all.find((each) => hand(each).length < least(each));

function finish() {
  sink();
  show(document.getElementById("verdict"));
}

function type() {
  const input = document.createElement("input");
  const label = document.createElement("label");
  typed.className = "typed";
  label.className = "unseen";
  label.textContent = words.type;
  input.value = zone.value;
  input.placeholder = "AsKd7c";
  input.autocapitalize = "off";
  input.ariaLabel = words.type;
  input.addEventListener("input", () => write(zone, split(input.value)));
  input.addEventListener("keydown", (event) => { if (event.key === "Enter") step(1); });
  typed.replaceChildren(input);
  rise(user, typed);
  input.focus();
}

// Keys typed while the deck is up: a rank, then a suit.
document.addEventListener("keydown", (event) => {
  if (!zone || !isUp() || event.target.matches("input:not([type=radio]), textarea, select") || event.ctrlKey || event.metaKey) return;
  if (MOVES[event.key] && event.target.parentElement === grid) { arrow(event.target, MOVES[event.key]); event.preventDefault(); return; }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key === "Backspace") erase();
  else if (rank && SUITS[key]) { const card = proper(rank + key); rank = ""; put(card); }
  else if (/^[2-9tjqka]$/.test(key)) rank = key;
  else if (key === "0" && rank === "1") rank = "t";
  else if (key === "1") rank = key;
  else if (key === "ArrowRight" || key === "ArrowLeft") step(key === "ArrowRight" ? 1 : -1);
  else return;
  event.preventDefault();
});

// Pasted cards fall into the slots one by one, on into the next hand.
document.addEventListener("paste", (event) => {
  if (!zone || !isUp() || event.target.matches("input:not([type=radio]), textarea")) return;
  event.preventDefault();
  for (const card of split(event.clipboardData.getData("text"))) if (zone) put(proper(card));
});

function lay(deck) {
  if (deck === drawn && grid.children.length) return;
  drawn = deck;
  const held = new Set(deck.split(" "));
  const jokers = [...held].filter((card) => card[0] === "*");
  grid.className = "deck";
  grid.replaceChildren();
  for (const suit of ["s", "h", "c", "d"]) {
    for (const each of ROWS.join("")) grid.append(key(each + suit, held));
    grid.append(tool(...TOOLS[suit]));
  }
  grid.append(...jokers.map((card) => key(card, held)));
  grid.firstChild.tabIndex = 0;
}

function key(card, held) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.card = card;
  button.tabIndex = -1;
  button.ariaLabel = draw(button, card);
  button.classList.add("key");
  button.classList.toggle("missing", !held.has(card));
  button.addEventListener("click", () => put(card));
  return button;
}

function tool(name, act) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "key tool";
  button.dataset.tool = name;
  button.tabIndex = -1;
  button.ariaLabel = words[name];
  button.append(name === "unseen" ? UNSEEN : icon(name));
  button.addEventListener("click", act);
  return button;
}

