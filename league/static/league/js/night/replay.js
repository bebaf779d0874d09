// Replays a hand. The page contains the end of the hand. The script returns to the start and steps
// forward.

const theatre = document.getElementById("theatre");
const stage = theatre.querySelector(".stage");
const moves = JSON.parse(document.getElementById("moves").textContent);
const scenes = [...theatre.querySelectorAll(".scene")];
const cards = [...stage.querySelectorAll(".card")];
const chairs = [...stage.querySelectorAll(".chair")];
const progress = theatre.querySelector("progress");
const peek = theatre.querySelector("[data-peek]");
const names = new Map(cards.map((card) => [card, card.getAttribute("aria-label")]));
const fastest = 60; // pixels of a swipe
let at = -1;
let peeking = false;

// The cards after this step: place -> "down" or "up".
function lying(step) {
  const found = new Map();
  for (const move of moves.slice(0, step + 1)) {
    for (const place of move.gone) found.delete(place);
    for (const place of move.down) found.set(place, "down");
    for (const place of [...move.up, ...move.turned]) found.set(place, "up");
  }
  return found;
}

function drawCard(card, lies, before) {
  const place = card.dataset.place;
  const now = lies.get(place);
  const hidden = now === "down" && !peeking && !card.classList.contains("back");
  card.classList.toggle("away", !now);
  card.classList.toggle("arrives", Boolean(now) && !before.get(place));
  card.classList.toggle("turns", now === "up" && before.get(place) === "down");
  card.classList.toggle("face-down", hidden);
  card.setAttribute("aria-label", hidden ? theatre.dataset.faceDown : names.get(card));
}

function drawUsed(card, step) {
  const move = moves[step];
  const last = step === moves.length - 1;
  const used = last ? moves.filter((each) => each.lit.includes(card.dataset.place)).pop()
    : move.lit.includes(card.dataset.place) && move;
  card.classList.toggle("lit", Boolean(used));
  const badge = card.querySelector(".as");
  if (!badge) return;
  const stands = used && used.as[card.dataset.place];
  badge.hidden = !stands;
  if (!stands) return;
  badge.firstChild.data = stands[0];
  badge.querySelector("use").setAttribute("href", `${theatre.dataset.icons}#${stands[1]}`);
}

function drawChair(chair, step) {
  const seat = chair.dataset.chair;
  const shown = moves.slice(0, step + 1);
  const won = shown.reduce((sum, move) => sum + (move.wins[seat] || 0), 0);
  const wins = chair.querySelector(".wins");
  // In games against the bank, shares are not won one by one, so the last step shows everything.
  const end = step === moves.length - 1;
  if (!end || won) wins.textContent = wins.dataset.won.replace("{chips}", won.toLocaleString());
  wins.hidden = !won && !(end && wins.dataset.end);
  if (end && !won && wins.dataset.end) wins.textContent = wins.dataset.end;
  chair.classList.toggle("out", shown.some((move) => move.out.includes(Number(seat))));
  if (moves[step].stacks) drawChips(chair, moves[step].stacks[seat], moves[step].bets[seat]);
  const declared = chair.querySelector(".declared");
  if (declared) declared.hidden = !shown.some((move) => seat in move.says);
}

// The chips of a player: the stack, and the bet that the other players have to answer.
function drawChips(chair, stack, bet) {
  chair.querySelector("[data-stack]").textContent = stack === null ? "" : stack.toLocaleString();
  const front = chair.querySelector("[data-bet]");
  front.textContent = bet ? bet.toLocaleString() : "";
  front.hidden = !bet;
}

function drawPot(pot) {
  const middle = stage.querySelector(".middle");
  if (!middle || pot === undefined) return;
  middle.querySelector("[data-pot]").textContent = (pot || 0).toLocaleString();
  middle.hidden = false;
}

function show(step, { aloud = true } = {}) {
  const before = lying(at);
  at = Math.max(0, Math.min(step, moves.length - 1));
  const lies = lying(at);
  for (const card of cards) {
    drawCard(card, lies, before);
    drawUsed(card, at);
  }
  chairs.forEach((chair) => drawChair(chair, at));
  drawPot(moves[at].pot);
  const last = at === moves.length - 1;
  stage.classList.toggle("judging", moves[at].lit.length > 0 || (last && moves.some((move) => move.lit.length)));
  scenes.forEach((scene, number) => scene.classList.toggle("now", number === at));
  drawControls(last);
  follow(moves[at]);
  if (!aloud) return;
  document.getElementById("said").textContent = scenes[at].innerText;
  history.replaceState(null, "", `#step-${at + 1}`);
}

// Scrolls the change into view.
function follow(move) {
  const places = new Set([...move.down, ...move.up, ...move.turned, ...move.lit]);
  const changed = cards.find((card) => places.has(card.dataset.place));
  (changed?.closest(".chair") || changed)?.scrollIntoView({ block: "nearest" });
}

function drawControls(last) {
  if (!progress) return;
  progress.value = at + 1;
  for (const button of theatre.querySelectorAll("[data-go]")) {
    const stuck = ["first", "back"].includes(button.dataset.go) ? at === 0 : last;
    button.setAttribute("aria-disabled", String(stuck));
  }
}

const goes = {
  first: () => show(0),
  back: () => show(at - 1),
  on: () => show(at + 1),
  last: () => show(moves.length - 1),
};
const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };

theatre.addEventListener("click", (event) => {
  const button = event.target.closest("[data-go]");
  if (button) goes[button.dataset.go]();
});
peek?.addEventListener("click", () => {
  peeking = !peeking;
  peek.setAttribute("aria-pressed", String(peeking));
  show(at);
});
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!(event.key in keys)) return;
  event.preventDefault();
  goes[keys[event.key]]();
});

let from = null;
stage.addEventListener("touchstart", (event) => { from = event.touches.length === 1 ? event.touches[0] : null; }, { passive: true });
stage.addEventListener("touchend", (event) => {
  if (!from) return;
  const [x, y] = [event.changedTouches[0].clientX - from.clientX, event.changedTouches[0].clientY - from.clientY];
  from = null;
  if (Math.abs(x) > fastest && Math.abs(x) > 2 * Math.abs(y)) goes[x < 0 ? "on" : "back"]();
}, { passive: true });

for (const chair of chairs) {
  const wins = chair.querySelector(".wins");
  if (!wins.hidden) wins.dataset.end = wins.textContent;
}
show(Number(location.hash.match(/^#step-(\d+)$/)?.[1] || 1) - 1, { aloud: false });
