// A hand that was saved too early: on with the first slot that is empty, or the first number that is wrong.

import * as deck from "./deck.js";
import * as keypad from "./keypad.js";
import { show } from "./sheet.js";
import { seen } from "./slots.js";

export function toFirstProblem(form) {
  const first = document.querySelector("#verdict [data-problem]");
  if (!first) return;
  const { problem, at } = first.dataset;
  const name = CSS.escape(problem);
  const field = form.querySelector(`[name="${name}"]:not([type=hidden])`);
  if (field?.dataset.zone !== undefined && seen(field)) {
    deck.open(field, at === "" ? undefined : Number(at));
    show(form.querySelector(".slot.next"));
  }
  else if (field?.dataset.chips !== undefined) keypad.open(field);
  else (field?.closest(".seat") ?? form.querySelector(`.problems[data-field="${name}"]`))?.scrollIntoView({ block: "center" });
}
