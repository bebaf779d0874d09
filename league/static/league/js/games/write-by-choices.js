// Writes a game document from a few choices. Every line can be changed afterwards.

import { keepChoices, same, storedChoices } from "./game-draft.js";

const field = (name) => document.getElementById(`steps-${name}`);
const text = document.getElementById("text");
const DECK = 52;

// The cards of each round, the rows of the board, and the slots of its lines.
const BOARDS = {
  none: { rounds: [], rows: [] },
  row: { rounds: ["a b c", "d", "e"], rows: ["a b c d e"] },
  rows: { rounds: ["a b c f g h", "d i", "e j"], rows: ["a b c d e", "f g h i j"] },
  cross: { rounds: ["a b c d", "e"], rows: ["a", "b e c", "d"], lines: ["a e d", "b e c"] },
};
const list = (words) => `["${words.join('", "')}"]`.replace('[""]', "[]");

function dealt(down, up, board) {
  const hole = down ? [`${down} down`, "bet"] : [];
  const showing = Array.from({ length: up }, () => ["1 up", "bet"]).flat();
  return ["ante", ...hole, ...showing, ...board.rounds.flatMap((slots) => [`board ${slots}`, "bet"])];
}

function pattern(board) {
  if (!board.rows.length) return "any 5";
  const zone = board.rows.length > 1 ? "line" : "board";
  return field("hand").value === "two" ? `2 down + 3 ${zone}` : `5 own or ${zone}`;
}

function written() {
  const [down, up] = [Number(field("down").value), Number(field("up").value)];
  const board = BOARDS[field("board").value];
  const laid = board.rounds.join(" ").split(" ").filter(Boolean).length;
  const most = Math.max(2, Math.min(10, Math.floor((DECK - laid) / Math.max(1, down + up))));
  const declared = field("declare").checked;
  return [
    `name = ${JSON.stringify(field("name").value.trim() || "House game")}`,
    `players = [2, ${most}]`,
    `deal = ${list(declared ? [...dealt(down, up, board), "declare"] : dealt(down, up, board))}`,
    board.rows.length && `board = ${list(board.rows)}`,
    board.lines && `lines = ${list(board.lines)}`,
    `hand = ["${pattern(board)}"]`,
    field("wild").value && `wild = [${field("wild").value}]`,
    `shares = [${field("pot").value}]`,
    declared && 'declare = "high-low"',
  ].filter(Boolean).join("\n") + "\n";
}

// Only a split pot has something to declare.
const isSplit = () => field("pot").value.includes(",");
field("declare").addEventListener("change", () => { if (field("declare").checked && !isSplit()) field("pot").value = '"high", "low: best"'; });
field("pot").addEventListener("change", () => { if (!isSplit()) field("declare").checked = false; });

const steps = document.querySelector("[data-steps]");
const fields = [...steps.querySelectorAll("input, select")];
let last = ""; // what the choices wrote; text that was changed by hand is kept
let changed = false; // a choice was changed later than the text

function write() {
  last = written();
  changed = false;
  keepChoices(fields.map((each) => (each.type === "checkbox" ? each.checked : each.value)));
  text.value = last;
  text.dispatchEvent(new Event("input", { bubbles: true }));
}

// After an error, and for a restored draft, the choices are shown if they write this text.
const choices = storedChoices();
if (choices?.length === fields.length) {
  const before = fields.map((each) => (each.type === "checkbox" ? each.checked : each.value));
  const put = (values) => fields.forEach((each, at) => { each[each.type === "checkbox" ? "checked" : "value"] = values[at]; });
  put(choices);
  if (same(written(), text.value)) {
    last = text.value;
    steps.open = true;
  } else put(before);
}

steps.addEventListener("input", () => { changed = true; });
text.addEventListener("input", (event) => { if (event.isTrusted) changed = false; });

document.querySelector("[data-write]").addEventListener("click", () => {
  write();
  text.form.scrollIntoView({ block: "start" });
});

// Saving without a preview saves the choices.
text.form.querySelector("button.main").addEventListener("click", (event) => {
  if (text.value.trim() && text.value !== last && !changed) return;
  field("name").required = true;
  if (field("name").reportValidity()) write();
  else event.preventDefault();
});
