// Requests the verdict on the typed values before the hand is saved. The last verdict is stored next
// to the draft of the hand. Without a connection it is shown as a draft until a value changes. Each
// problem in the verdict is also shown at its field.

import { keepVerdict, storedVerdict } from "./hand-draft.js";
import { fillFacts } from "../offline/outbox.js";
import { isIn, nameOf } from "./players-and-pot.js";
import { slotsOf } from "../controls/cards.js";
import { post } from "./load-game-form.js";

const PAUSE = 350; // milliseconds after the last key before the verdict is requested
const UNJUDGED = new Set(["csrfmiddlewaretoken", "drawn", "key", "seen", "number", "after", "paste", "sentence", "used_sentence"]);
const record = () => document.getElementById("record");
let last = null;

// The server and the phone draw the same values in a different order, with different empty fields.
export const valuesOf = (form) => JSON.stringify([...new FormData(form)].filter(([name, text]) => text && !UNJUDGED.has(name)).map((pair) => pair.join("=")).sort());

// `root` contains the verdict on these values.
export function remember(values, root) {
  const headline = root.querySelector(".who-won")?.textContent.trim();
  last = headline ? { values, headline } : null;
  keepVerdict(record(), last);
}

// After a reload without a connection, the stored verdict is the last one.
export function recall(form) {
  last ??= storedVerdict(form);
}

export const draftHeadline = (form) => (last?.values === valuesOf(form) ? last.headline : "");

// What is recorded so far: the pot, the players whose cards are entered, and the winners of a result
// without cards.
export function factsOf(form) {
  const pot = form.querySelector("[data-part=pot]").textContent;
  const hasCards = (seat) => [...seat.querySelectorAll("input[data-zone]")].some((zone) => zone.value.trim());
  const showed = [...form.querySelectorAll(".seat")].filter((seat) => isIn(seat) && hasCards(seat)).map(nameOf);
  const wins = (seat) => seat.checked || Number(form.elements[`players/${seat.value}/took`]?.value) > 0;
  const winners = [...form.querySelectorAll("[name=winner]")].filter(wins).map((seat) => seat.closest(".pill").textContent.trim());
  return { pot, showed: showed.join(", "), won: winners.join(", ") };
}

// Marks the verdict as a draft, or replaces it by the facts if it is on other values.
export function showPending(form) {
  const place = document.getElementById("verdict");
  const template = document.getElementById("afield").content;
  const headline = draftHeadline(form);
  const says = document.getElementById("says");
  const tag = template.querySelector("[data-part=draft]").cloneNode(true);
  if (!headline) {
    const pending = template.querySelector(".pending").cloneNode(true);
    const facts = factsOf(form);
    fillFacts(pending, facts);
    place.replaceChildren(pending);
    const won = facts.won && pending.querySelector("[data-part=facts-won]").textContent;
    says.textContent = [pending.querySelector("b").textContent, won].filter(Boolean).join(": ");
    return;
  }
  if (place.querySelector("[data-part=draft]")) return;
  if (!place.querySelector(".who-won")) place.replaceChildren();
  if (!place.firstElementChild) tag.querySelector("span").textContent = headline;
  place.prepend(tag);
  says.textContent = `${tag.querySelector("b").textContent}: ${headline}`;
}

// Requests the verdict after a pause in typing, and calls `done(true)` if it arrived, otherwise
// `done(false)`.
let pause = 0;
let judging = null;
export function requestVerdict(done) {
  clearTimeout(pause);
  showBusy(true);
  pause = setTimeout(judge, PAUSE, done);
}

// Saving shows its own verdict, which an earlier request must not replace.
export function cancelVerdict() {
  clearTimeout(pause);
  judging?.abort();
  judging = null;
  showBusy(false);
}

// Until the response arrives, the previous verdict is shown as out of date.
const showBusy = (busy) => document.getElementById("verdict").setAttribute("aria-busy", String(busy));

async function judge(done) {
  judging?.abort();
  const mine = judging = new AbortController();
  const values = valuesOf(record());
  const answer = await post(record().dataset.check, "", {}, mine);
  if (mine !== judging) return;
  showBusy(false);
  const says = answer?.getElementById("says");
  if (!says) { done(false); return; }
  remember(values, answer);
  says.remove();
  const shown = document.getElementById("says");
  if (shown.textContent !== says.textContent) shown.replaceChildren(...says.childNodes);
  document.getElementById("verdict").replaceChildren(...answer.body.childNodes);
  done(true);
}

// Shows each problem in the verdict at its field.
export function showProblems() {
  breakTies();
  const found = [...document.querySelectorAll("#verdict [data-problem]")];
  clearProblems();
  for (const problem of found) {
    const field = problem.dataset.problem;
    const box = document.querySelector(`#record .problems[data-field="${CSS.escape(field)}"]`);
    const line = document.createElement("p");
    line.className = "error";
    line.textContent = problem.textContent;
    box?.append(line);
    const input = document.querySelector(`#record input[name="${CSS.escape(field)}"]:not([type=radio], [type=hidden])`);
    input?.setAttribute("aria-invalid", "true");
    if (input?.dataset.zone !== undefined) slotsOf(input)[Number(problem.dataset.at || -1)]?.classList.add("wrong");
  }
}

// Only players who tied have tie-break cards. Their rows stay while their cards are entered.
let tied = null;
function breakTies() {
  const tie = document.querySelector("#verdict [data-tied]");
  const inputs = [...document.querySelectorAll("#record [name^='tiebreaks/']")];
  if (tie) tied = new Set(tie.dataset.tied.split(" "));
  else if (!inputs.some((input) => input.value)) tied = null;
  for (const input of inputs) {
    const row = input.name.split("/")[2];
    const seat = document.querySelector(`#record [name="players/${row}/name"]`)?.closest(".seat");
    const isOut = seat?.hasAttribute("data-out") || (tied !== null && !tied.has(row));
    const zone = input.closest(".zone"); // a game without tie-breaks keeps its fields hidden
    if (zone) zone.hidden = isOut && !input.value;
  }
}

function clearProblems() {
  document.querySelectorAll("#record .problems").forEach((box) => box.replaceChildren());
  document.querySelectorAll("#record .slot.wrong").forEach((slot) => slot.classList.remove("wrong"));
  document.querySelectorAll("#record [aria-invalid]").forEach((input) => input.removeAttribute("aria-invalid"));
}
