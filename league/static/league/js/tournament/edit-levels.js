// Edits the levels in a table. The text field, which is submitted, is kept in sync. It is shown
// only if one of its lines is not a level (tournaments/clock.py reads the lines).

const editor = document.querySelector("[data-levels]");
const text = document.querySelector("[name=levels]");
const body = editor.querySelector("tbody");
const LEVEL = /^(\d{1,10})\/(\d{1,10})(?: ante (\d{1,10}))? (\d{1,3})(?: min)?(?: (\S.*))?$/;
const BREAK = /^break (\d{1,3})(?: min)?$/i;

function read(line) {
  const rest = line.match(BREAK);
  if (rest) return { minutes: rest[1] };
  const [found, small, big, ante, minutes, game] = line.match(LEVEL) ?? [];
  return found && { small, big, ante: ante ?? "", minutes, game: game ?? "" };
}

function draw(level) {
  const row = editor.querySelector(`[data-row=${level.big ? "level" : "break"}]`).content.cloneNode(true).firstElementChild;
  for (const input of row.querySelectorAll("[data-is]")) input.value = level[input.dataset.is] ?? "";
  const game = row.querySelector("[data-game]");
  if (game) game.textContent = level.game ?? "";
  body.append(row);
  return row;
}

function write(row) {
  const { small, big, ante, minutes } = Object.fromEntries([...row.querySelectorAll("[data-is]")].map((input) => [input.dataset.is, input.value.trim()]));
  if (big === undefined) return `break ${minutes} min`;
  const also = Number(ante) ? ` ante ${ante}` : "";
  return `${small}/${big}${also} ${minutes} min ${row.querySelector("[data-game]").textContent}`.trim();
}

function mark() {
  for (const button of editor.querySelectorAll("[data-preset]")) button.setAttribute("aria-pressed", button.dataset.preset === text.value);
}

function keep() {
  text.value = [...body.rows].map(write).join("\n");
  mark();
}

function fill(lines) {
  const levels = lines.split("\n").map((line) => line.trim().replace(/\s+/g, " ")).filter(Boolean).map(read);
  if (!levels.every(Boolean)) return;
  body.replaceChildren();
  levels.forEach(draw);
  text.closest(".field").classList.add("in-table");
  editor.hidden = false;
}

editor.addEventListener("input", keep);
editor.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button) return;
  if (button.matches("[data-remove]")) button.closest("tr").remove();
  if (button.matches("[data-preset]")) fill(button.dataset.preset);
  if (button.matches("[data-add]")) add(button.dataset.add);
  keep();
});

// A new level doubles the blinds of the last level.
function add(kind) {
  const last = [...body.rows].map(write).map(read).findLast((level) => level?.big);
  const level = { small: 2 * (last?.small ?? 0) || 25, big: 2 * (last?.big ?? 0) || 50, ante: 2 * Number(last?.ante ?? 0) || "", minutes: last?.minutes ?? 20 };
  draw(kind === "level" ? level : { minutes: 10 }).querySelector("input").focus();
}

fill(text.value);
mark();
for (const at of editor.dataset.wrong.match(/\d+/g) ?? []) {
  for (const input of body.rows[at]?.querySelectorAll("input") ?? []) input.ariaInvalid = "true";
}
