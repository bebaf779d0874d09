// Draws the recording form without the server, from the forms of games that the phone has stored
// (league/pages/offline.py).

import { uuid } from "../common/idempotency-keys.js";
import { within } from "./outbox.js";

const ROW = "999";
const NAME = "~who~";
const NIGHT = "/nights/00000000-0000-0000-0000-000000000000/";
const BLANK = /^(csrfmiddlewaretoken|key|drawn|variant|button|players\/\d+\/name)$/;

// Fetches the forms of all games, once per version, batch by batch, and deletes older ones.
// Requests from the table have priority: after each batch, the client pauses for as long as the
// batch took.
export async function prefetch(address) {
  const { at, batches } = await (await fetch(address)).json();
  if (at === await within("forms", "readonly", (forms) => forms.get("at"))) return;
  for (let place = 0; place < batches; place += 1) {
    const asked = performance.now();
    const answer = await fetch(at + place, { priority: "low" });
    if (!answer.ok) return;
    const batch = await answer.json();
    const took = performance.now() - asked;
    await within("forms", "readwrite", (forms) => {
      for (const slug of Object.keys(batch.games)) forms.put(formsOf(batch, slug), slug);
    });
    await new Promise((wake) => setTimeout(wake, took));
  }
  await within("forms", "readwrite", (forms) => { forms.put(at, "at"); });
}

const formsOf = ({ lines, games }, slug) =>
  Object.fromEntries(Object.entries(games[slug]).map(([key, places]) => [key, places.map((place) => lines[place]).join("\n")]));

// Returns the form of a game, filled with the typed values, or null for an unknown game.
export async function redrawn(form, fields = [...new FormData(form)]) {
  // Like the server, drop what belongs to the previous game.
  const variant = last(fields, "variant") ?? "";
  const other = (last(fields, "drawn") ?? variant) !== variant;
  const dropped = last(fields, "match") ? /^(match|carried|runs|options)|\/declared$/ : /^(runs|options)|\/declared$/;
  const usual = Object.entries(JSON.parse(form.dataset.usual || "{}")[last(fields, "variant")] ?? {});
  if (other) fields = [...fields.filter(([name]) => !dropped.test(name)), ...usual];
  const shapes = await within("forms", "readonly", (forms) => forms.get(last(fields, "variant") ?? "")).catch(() => null);
  const html = shapes && keys(fields).map((key) => shapes[key]).find(Boolean);
  if (!html) return null;
  const base = form.getAttribute("action").replace(/record$/, "");
  const fresh = new DOMParser().parseFromString(html.replaceAll(NIGHT, base), "text/html").getElementById("record");
  for (const { name, value } of form.attributes) if (name !== "class" && name !== "data-deck") fresh.setAttribute(name, value);
  fresh.removeAttribute("aria-busy");
  seat(fresh, fields);
  // An option may have lost the choice since the game was last played.
  if (other) fields = fields.filter(([name, text]) => !name.startsWith("options/") || [...fresh.elements[name]?.options ?? []].some(({ value }) => value === text));
  for (const part of [".found", "#shall", ".narrowing"]) fresh.querySelector(part).replaceWith(form.querySelector(part).cloneNode(true));
  fill(fresh, fields);
  fresh.elements.drawn.value = last(fields, "variant") ?? "";
  return fresh;
}

// Returns the form of another hand: the same players and no cards.
export async function afresh(form) {
  const kept = [...new FormData(form)].filter(([name]) => /^(players\/\d+\/name|seen|number|after)$/.test(name));
  const fields = [...kept, ["variant", ""]];
  const fresh = (await redrawn(form, fields)) ?? blank(form, fields);
  fresh.elements.key.value = uuid();
  return fresh;
}

// Without stored forms, the phone keeps the current game.
function blank(form, fields) {
  const fresh = form.cloneNode(true);
  for (const field of fresh.elements) {
    if (!field.name || BLANK.test(field.name)) continue;
    if (field.type === "radio" || field.type === "checkbox") field.checked = false;
    else if (field.type === "select-one") field.selectedIndex = 0;
    else field.value = "";
  }
  for (const place of ["#verdict", "#says"]) fresh.querySelector(place).replaceChildren(); // of the last hand
  fresh.querySelectorAll("[name=depth]").forEach((radio, place) => { radio.checked = place === 0; });
  fill(fresh, fields.filter(([name]) => name !== "variant"));
  return fresh;
}

const last = (fields, wanted) => fields.filter(([name]) => name === wanted).at(-1)?.[1];

// Expands a stored form to the form of the game. The phone stores only the differences.
function keys(fields) {
  if (last(fields, "depth") === "result") return ["||result", ""];
  const modifiers = fields.filter(([name, text]) => name === "modifiers" && text).map(([, text]) => text);
  const options = fields.filter(([name, text]) => name.startsWith("options/") && text).map(([name, text]) => `${name.slice(8)}=${text.replace(/^"(.*)"$/, "$1")}`);
  const pairs = modifiers.flatMap((one, place) => modifiers.slice(place + 1).map((other) => `${one},${other}`));
  const heads = [...pairs, ...modifiers, ""];
  return [...heads.flatMap((head) => options.map((option) => `${head}|${option}`)), ...heads];
}

// The stored form has one player, which is the template for all players.
function seat(form, fields) {
  const players = fields.filter(([name]) => /^players\/\d+\/name$/.test(name)).map(([name, who]) => [name.split("/")[1], who]);
  for (const box of form.querySelectorAll("[data-seats]")) {
    const pattern = [...box.children];
    box.replaceChildren(...players.flatMap(([row, who]) => pattern.map((each) => rewrite(each.cloneNode(true), row, who))));
  }
}

function rewrite(element, row, who) {
  const walk = document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = element; node; node = walk.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) node.data = node.data.replaceAll(NAME, who);
    else for (const each of node.attributes) each.value = each.value.replaceAll(NAME, who).replaceAll(ROW, row);
  }
  return element;
}

// Values without a field stay in the form, hidden, as on the server.
function fill(form, fields) {
  const names = new Set(fields.map(([name]) => name));
  for (const name of names) {
    if (name === "csrfmiddlewaretoken" || name === "drawn") continue;
    const texts = fields.filter(([each]) => each === name).map(([, text]) => text);
    const found = [...form.elements].filter((field) => field.name === name);
    const ticks = found.filter((field) => field.type === "radio" || field.type === "checkbox");
    ticks.forEach((field) => { field.checked = texts.includes(field.value); });
    const lone = found.find((field) => !ticks.includes(field));
    if (lone) put(lone, texts.at(-1));
    else texts.filter((text) => text && !ticks.some((field) => field.value === text)).forEach((text) => form.append(hidden(name, text)));
  }
}

function put(field, text) {
  if (field.type === "select-one" && ![...field.options].some((option) => option.value === text)) field.add(new Option(text, text));
  field.value = text;
}

function hidden(name, text) {
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name, value: text });
  return field;
}
