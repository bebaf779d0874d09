// The card keypad: every card is a key, used cards are grey, and a tap fills the next empty slot.

import { SUITS, UNSEEN, draw, hand, icon, least, most, nextWithRoom, proper, seen, slotsOf, split, used, words, write, zones } from "./cards.js";
import * as keypad from "./chip-keypad.js";
import { commonPayment, folded, foldRest, hasTwoPayments, isIn, isShort, mayShow, nameOf, setState, shown, stackOf, stake, stateOf, undecided, unfold } from "../record/players-and-pot.js";
import { closeSheet, isSheetOpen, openSheet, setTitle, show, signalDone } from "./bottom-sheet.js";

const ROWS = ["AKQJT98", "765432"];
const TOOLS = { s: ["erase", erase], h: ["unseen", () => put(UNSEEN)], c: ["keys", type], d: ["check", () => step(1)] };

const FATES = ["folded", "late", "mucked", "all-in"];

const box = (look, ...within) => { const made = document.createElement("div"); made.className = look; made.append(...within); return made; };
const grid = box("deck");
const typed = box("typed");
const laid = box("laid");
const names = box("fates names");
const fates = box("fates");
const ways = box("fates ways");
const others = box("fates");
const whole = box("", box("beside", laid, names, fates), ways, grid);
const record = () => document.getElementById("record");
// Players who declare whether they are in are out instead of folded.
const say = (name, usual = words[name]) => (record().matches(".in-or-out") && words.out[name]) || usual;
const wide = matchMedia("(min-width: 62rem)");
let drawn = "";
let zone = null;
let place = 0;
let rank = "";
let asks = false; // whether all cards are entered but the declaration is missing
let picked = null; // the player whose name was tapped last

const user = { step, closed };

export function open(input, at = hand(input).length) {
  zone = input;
  asks = false;
  // The hand may have too many cards: a tap removes the surplus ones.
  const cards = hand(input).length;
  place = at < cards ? at : Math.min(cards, most(input) - 1);
  lay(record().dataset.deck);
  openSheet(user, whole);
  refresh();
}

// Moves from the stakes to the first missing cards; returns whether cards are missing.
export function begin() {
  const first = nextWithRoom(zones().filter((each) => each.dataset.group === "hand" && seen(each)));
  if (first) open(first);
  return Boolean(first);
}

function closed(within) {
  const slots = slotsOf(zone);
  mark(null);
  zone = null;
  if (within) slots.at(Math.min(place, slots.length - 1))?.focus();
}

// For keyboard users: moves the focus into the deck, where arrows move between cards.
export function enter() {
  reach([...grid.children].find((key) => !key.matches(".used, .missing")));
}

function reach(key) {
  if (!key) return;
  grid.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
  key.tabIndex = 0;
  key.focus();
}

const columns = () => getComputedStyle(grid).gridTemplateColumns.split(" ").length;
const MOVES = { ArrowRight: () => 1, ArrowLeft: () => -1, ArrowDown: columns, ArrowUp: () => -columns() };

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
  const seat = zone.closest(".seat");
  const letter = zone.dataset.letters?.split(" ")[place];
  // Only the players know how many cards a run deals again.
  const dealt = hand(zone).length;
  const again = dealt ? words.again.replace("{n}", dealt) : words.rerun;
  const count = zone.name.startsWith("runs/") && most(zone) > dealt ? again : `${place + 1}/${most(zone)}`;
  setTitle(asks ? words.declares.replace("{name}", nameOf(seat)) : [zone.dataset.label, letter, count].filter(Boolean).join(" · "));
  mark(asks ? null : slotsOf(zone)[place]);
  drawLaid();
  drawNames(seat);
  drawFates(seat);
  drawWays(seat);
  // The sheet shows the cards. A board that is not just rows is shown only on the page.
  if (wide.matches || zone.closest(".shaped")) show(zone.closest(".seat, .felt"), zone.closest(".zone"), slotsOf(zone)[place]);
}

// Only for display. A card can be changed by a tap on its slot.
function drawLaid() {
  const cards = hand(zone);
  const letters = zone.dataset.letters?.split(" ") ?? [];
  laid.parentElement.hidden = Boolean(zone.closest(".shaped"));
  laid.replaceChildren(...slotsOf(zone).map((_slot, at) => {
    const card = document.createElement("span");
    card.className = "card-laid";
    draw(card, cards[at]);
    if (!cards[at]) card.textContent = letters[at] ?? "";
    card.classList.toggle("next", at === place && !asks);
    card.ariaHidden = "true";
    return card;
  }));
}

// A tap on a name continues with the cards of that player. The others are folded at the end.
function drawNames(seat) {
  const next = seat ? mayShow(record()).filter((each) => each !== seat) : [];
  names.hidden = !next.length;
  fill(names, next.map((each) => [nameOf(each), false, () => pick(each)]));
}

function pick(seat) {
  picked = seat;
  open(cardsOf(seat)[0]);
}

function drawFates(seat) {
  fates.hidden = !seat;
  const offered = seat ? FATES.filter((state) => stateOf(seat).querySelector(`[value="${state}"]`)) : [];
  const paid = () => (stateOf(seat).value === "all-in" ? seat.querySelector(".amount").value : isShort(seat) ? stackOf(seat) : "");
  const isAsked = seat && !stake(seat).value && hasTwoPayments(record());
  const amount = (state) => ` ${state === "all-in" ? paid() : isAsked ? commonPayment(record(), state) : ""}`.trimEnd();
  const keys = offered.map((state) => [say(state, words.fates[state]) + amount(state), stateOf(seat).value === state, () => chooseState(seat, state)]);
  const rest = seat ? undecided(record()) : [];
  if (rest.length > 1 && rest.includes(seat)) keys.push([say("rest"), false, () => { foldRest(record()); finish(); }]);
  fill(fates, keys);
}

function drawWays(seat) {
  const radios = declarations(seat);
  ways.hidden = !radios.length;
  ways.classList.toggle("next", asks);
  fill(ways, radios.map((radio) => [radio.parentElement.textContent.trim(), radio.checked, () => radio.click()]));
}

const declarations = (seat) => [...(seat?.querySelectorAll("[name$='/declared']") ?? [])];
const isUndeclared = (seat) => declarations(seat).length > 0 && !declarations(seat).some((radio) => radio.checked);

// Unchanged keys are reused, so that they keep the focus.
function fill(row, keys) {
  while (row.children.length > keys.length) row.lastChild.remove();
  keys.forEach(([text, pressed, act], at) => {
    const key = row.children[at] ?? row.appendChild(button("", null));
    key.textContent = text;
    key.ariaPressed = String(pressed);
    key.onclick = act;
  });
}

// Players who are out have no cards, so continue with the next player. An all-in player paid the
// whole stack. If the stack is unknown, the keypad opens for it.
function chooseState(seat, state) {
  if (stateOf(seat).value === state) { setState(seat, "in"); refresh(); return; }
  const [from, at] = [zone, place];
  const rest = inOrder().filter((each) => each.closest(".seat") !== seat);
  const later = rest.filter((each) => from.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING);
  setState(seat, state);
  if (state === "all-in") {
    const amount = seat.querySelector(".amount");
    if (amount.value) refresh(); // the stack is filled in, so continue with the cards
    else keypad.open(amount, () => { open(from, at); return true; });
    return;
  }
  const next = nextWithRoom(later) ?? behind(rest);
  if (seat === picked && shown(record()).length > 1) offerOthers();
  else if (next && isOpen()) open(next);
  else finish();
}

// The last player wins without cards, unless the game requires them to show.
const isOpen = () => {
  const seats = [...document.querySelectorAll("#record .seat")];
  return seats.filter(isIn).length > 1 || Boolean(stateOf(seats[0]).querySelector("[value=late]"));
};

// The declaration is chosen in the sheet or on the page.
document.addEventListener("change", (event) => {
  if (!zone || !isSheetOpen() || !event.target.matches("#record [name$='/declared']")) return;
  if (asks && !isUndeclared(zone.closest(".seat"))) step(1);
  else refresh();
});
document.addEventListener("input", (event) => { if (event.target.matches("#record [data-zone], #record [data-state-of]")) refresh(); });

function mark(slot) {
  document.querySelectorAll(".slot.next").forEach((each) => each.classList.remove("next"));
  slot?.classList.add("next");
}

// A tapped card fills the slot and opens the next.
function put(card) {
  if (asks) step(1); // the next card is the next player's
  if (!zone || asks) return;
  if (used(zone, place).has(card) && card !== UNSEEN) return;
  const cards = hand(zone);
  cards[place] = card;
  write(zone, cards);
  const next = nextWithRoom(zone.dataset.turns ? inOrder().filter((each) => each.dataset.turns) : [zone]);
  if (next) open(next);
  else step(1);
}

function erase() {
  const cards = hand(zone);
  cards.splice(place < cards.length ? place : -1, 1);
  write(zone, cards);
  open(zone, cards.length);
}

const inOrder = () => zones().filter((each) => each.dataset.group === zone.dataset.group && seen(each));

// Moves to the next zone with room, or back to the previous one; past the end the sheet closes.
// After a player's last zone, the deck offers the declarations.
function step(by) {
  const all = inOrder();
  const seat = zone.closest(".seat");
  if (by > 0 && !asks && isUndeclared(seat) && zone === all.findLast((each) => each.closest(".seat") === seat)) { asks = true; refresh(); return; }
  const ahead = by > 0 ? all.slice(all.indexOf(zone) + 1) : all.slice(0, all.indexOf(zone)).reverse();
  const next = by > 0 ? nextWithRoom(ahead) ?? behind(all) : ahead[0];
  if (by > 0 && seat && seat === picked && !seat.contains(next) && isEnough(seat)) offerOthers();
  else if (next && next !== zone) open(next);
  else if (by > 0) finish();
}

const behind = (all) => all.find((each) => hand(each).length < least(each));
const cardsOf = (seat) => zones().filter((each) => each.dataset.group === "hand" && seat.contains(each));
const isEnough = (seat) => !behind(cardsOf(seat)) && shown(record()).length > 1;

// A tap on a name skips other players, who count as folded once two players have cards. Their names
// stay at hand above the verdict and the save button, in case another player showed.
function offerOthers() {
  const from = picked;
  picked = null;
  if (undecided(record()).length) foldRest(record());
  const missing = behind(inOrder());
  const rest = folded(record());
  if (missing) { open(missing); return; }
  if (!rest.length) { finish(); return; }
  fill(others, rest.map((seat) => [nameOf(seat), false, () => { unfold(seat); pick(seat); }]));
  openSheet({ isLow: true, step: (by) => (by > 0 ? finish() : pick(from)) }, others);
  setTitle(words.others);
  announce();
}

function finish() {
  closeSheet();
  announce();
}

function announce() {
  signalDone();
  record().dispatchEvent(new Event("laid", { bubbles: true }));
}

function type() {
  const input = document.createElement("input");
  const label = document.createElement("label");
  label.className = "unseen";
  label.textContent = words.type;
  input.value = zone.value;
  input.placeholder = "AsKd7c";
  input.autocapitalize = "off";
  input.ariaLabel = words.type;
  input.addEventListener("input", () => write(zone, split(input.value)));
  input.addEventListener("keydown", (event) => { if (event.key === "Enter") step(1); });
  typed.replaceChildren(input);
  openSheet(user, typed);
  input.focus();
}

// Keys typed while the deck is open: a rank, then a suit.
document.addEventListener("keydown", (event) => {
  if (!zone || !isSheetOpen() || event.target.matches("input:not([type=radio]), textarea, select") || event.ctrlKey || event.metaKey) return;
  if (MOVES[event.key] && event.target.parentElement === grid) { arrow(event.target, MOVES[event.key]()); event.preventDefault(); return; }
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

// Pasted cards fill the slots one by one, and continue in the next hand.
document.addEventListener("paste", (event) => {
  if (!zone || !isSheetOpen() || event.target.matches("input:not([type=radio]), textarea")) return;
  event.preventDefault();
  for (const card of split(event.clipboardData.getData("text"))) if (zone) put(proper(card));
});

function lay(deck) {
  if (deck === drawn && grid.children.length) return;
  drawn = deck;
  const held = new Set(deck.split(" "));
  const jokers = [...held].filter((card) => card[0] === "*");
  grid.replaceChildren();
  for (const suit of ["s", "h", "c", "d"]) {
    for (const each of ROWS.join("")) grid.append(key(each + suit, held));
    grid.append(tool(...TOOLS[suit]));
  }
  grid.append(...jokers.map((card) => key(card, held)));
  grid.firstChild.tabIndex = 0;
}

function button(look, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = look;
  made.onclick = act;
  return made;
}

function key(card, held) {
  const made = button("key", () => put(card));
  made.dataset.card = card;
  made.tabIndex = -1;
  made.ariaLabel = draw(made, card);
  made.classList.toggle("missing", !held.has(card));
  return made;
}

function tool(name, act) {
  const made = button("key tool", act);
  made.dataset.tool = name;
  made.tabIndex = -1;
  made.ariaLabel = words[name];
  made.append(name === "unseen" ? UNSEEN : icon(name));
  return made;
}
