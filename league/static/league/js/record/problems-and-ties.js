// Shows each problem in the verdict at its field.

import { slotsOf } from "../controls/card-slots.js";

export function place() {
  breakTies();
  const found = [...document.querySelectorAll("#verdict [data-problem]")];
  clear();
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

function clear() {
  document.querySelectorAll("#record .problems").forEach((box) => box.replaceChildren());
  document.querySelectorAll("#record .slot.wrong").forEach((slot) => slot.classList.remove("wrong"));
  document.querySelectorAll("#record [aria-invalid]").forEach((input) => input.removeAttribute("aria-invalid"));
}
