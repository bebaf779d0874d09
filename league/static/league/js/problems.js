// Puts each problem that the verdict names beside its field.

import { slotsOf } from "./slots.js";

export function place() {
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

function clear() {
  document.querySelectorAll("#record .problems").forEach((box) => box.replaceChildren());
  document.querySelectorAll("#record .slot.wrong").forEach((slot) => slot.classList.remove("wrong"));
  document.querySelectorAll("#record [aria-invalid]").forEach((input) => input.removeAttribute("aria-invalid"));
}
