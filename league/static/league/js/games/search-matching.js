// Filters rows of games by words and filter buttons ("chips"), and counts the rows that each button
// would leave. The `data-is` attribute of a row contains the words that find it
// (league/pages/games/finder.py).

import { plain } from "../common/ignore-accents.js";

const read = new WeakMap();

// Caches the text of a row until it changes.
function indexed(row) {
  const is = row.dataset.is ?? "";
  const before = read.get(row);
  if (before?.is === is) return before;
  const [players, cards, , ...kinds] = is.split(" ");
  const [least, most] = players.split("-").map(Number);
  const text = plain(`${row.textContent} ${row.dataset.also ?? ""}`);
  const made = { is, least, most, cards, kinds: new Set(kinds), text, names: names(row) };
  read.set(row, made);
  return made;
}

// Returns the title and the other names, each as its words.
function names(row) {
  const also = row.dataset.also ?? row.querySelector("small, .name + .small")?.textContent ?? "";
  return [row.querySelector("b, .name").textContent, ...also.split(",")].map(split);
}
const split = (text) => text.normalize("NFKD").toLowerCase().split(/[^\p{L}\p{N}\p{M}'\u2019]+/u).map(plain).filter(Boolean);

// Ranks a row by its names, as on the server (league/games/titles.py).
export function nearness(row, text) {
  const words = split(text), whole = words.join("");
  if (!whole) return 0;
  const { names, kinds } = indexed(row);
  const known = 500 * kinds.has("dealt") + 250 * kinds.has("popular");
  return Math.max(...names.map((name, at) => {
    const joined = name.join("");
    const begins = (word) => name.some((own) => own.startsWith(word));
    const near = joined === whole ? 3 : joined.startsWith(whole) ? 2 : words.every(begins) ? 1 : 0;
    return near && 1000 * near + known + 2 * Math.floor((100 * whole.length) / joined.length) + (at === 0);
  }));
}

// Returns the elements of this kind, highest rank first; otherwise their order does not change.
export function raised(box, kind, rank) {
  const all = [...box.querySelectorAll(`:scope > ${kind}`)];
  all.forEach((each, at) => { each.dataset.at ??= at; });
  const near = new Map(all.map((each) => [each, rank(each)]));
  return all.sort((one, other) => near.get(other) - near.get(one) || one.dataset.at - other.dataset.at);
}

function has(row, { name, value }) {
  const { least, most, cards, kinds } = indexed(row);
  if (name === "players") return least <= value && value <= most;
  return name === "cards" ? cards === value : kinds.has(value);
}

const LENGTHS = new Set(["short", "long"]);
const excludes = (one, other) => one !== other && one.name === other.name && (one.name !== "kind" || (LENGTHS.has(one.value) && LENGTHS.has(other.value)));

// A selected chip deselects the chips that it excludes.
export function tap(chip, chips) {
  if (chip.checked) for (const other of chips) if (excludes(chip, other)) other.checked = false;
}

// The index of all games, fetched once for a page (pages/games/finder.py); null without a
// connection.
let index = null;
export const fetchIndex = (at) => (index ??= fetch(at).then((answer) => answer.json()).catch(() => (index = null)));

// If no name matches, the words of the rules are searched, as on the server (pages/games/finder.py).
function byRules(words, games) {
  const [ranks, common] = [1, 2].map((at) => new Set(games?.[""]?.[at].split(" ")));
  const single = (word) => (word.length > 3 && !ranks.has(word) ? word.replace(/s$/, "") : word);
  const telling = words.filter((word) => !common.has(word) && !common.has(single(word)));
  return (row) => {
    const rules = ` ${games?.[row.dataset.slug ?? row.querySelector("[name=variant]")?.value]?.[2] ?? ""}`;
    return rules.length > 1 && telling.length > 0 && telling.every((word) => rules.includes(` ${single(word)}`) || indexed(row).text.includes(word));
  };
}

// If nothing matches, a word of a name may differ by one letter, or by two swapped ones.
const SHORT = 4; // letters of a word that has to be exact
function isSlip(word, meant) {
  let at = 0;
  while (at < word.length && word[at] === meant[at]) at += 1;
  const [rest, other] = [word.slice(at), meant.slice(at)];
  const isSwapped = rest[0] === other[1] && rest[1] === other[0] && rest.slice(2) === other.slice(2);
  return isSwapped || rest.slice(1) === other.slice(1) || rest.slice(1) === other || rest === other.slice(1);
}

function bySlip(words) {
  const isNear = (word, meant) => [-1, 0, 1].some((more) => isSlip(word, meant.slice(0, word.length + more)));
  return (row) => words.every((word) => indexed(row).text.includes(word) || (word.length > SHORT && indexed(row).names.flat().some((meant) => isNear(word, meant))));
}

const byName = (text) => {
  const words = plain(text).trim().split(/\s+/);
  return (row) => words.every((word) => indexed(row).text.includes(word));
};
export const isNamed = (rows, text) => rows.some(byName(text));

// Returns the number of rows left. All reads precede the writes, so that the page is laid out once.
export function narrow(rows, text, chips, games = null) {
  const named = byName(text);
  const words = plain(text).trim().split(/\s+/);
  const meant = [named, byRules(words, games)].find((matches) => rows.some(matches)) ?? bySlip(words);
  const bits = new Map(chips.map((chip, at) => [chip, 2 ** at]));
  const sum = (some) => some.reduce((all, chip) => all | bits.get(chip), 0);
  const chosen = chips.filter((chip) => chip.checked);
  const wanted = sum(chosen);
  const needs = chips.map((chip) => sum([...chosen.filter((other) => !excludes(chip, other) && other !== chip), chip]));
  const left = chips.map(() => 0);
  let shown = 0;
  const hides = rows.map((row) => {
    if (!meant(row)) return true;
    const mask = sum(chips.filter((chip) => has(row, chip)));
    needs.forEach((need, at) => { if ((mask & need) === need) left[at] += 1; });
    const isLeft = (mask & wanted) === wanted;
    shown += isLeft;
    return !isLeft;
  });
  rows.forEach((row, at) => { if (row.hidden !== hides[at]) row.hidden = hides[at]; });
  chips.forEach((chip, at) => says(chip, left[at]));
  return shown;
}

function says(chip, left) {
  const label = chip.closest("label");
  label.querySelector("i").textContent = left;
  label.classList.toggle("none", !left);
}
