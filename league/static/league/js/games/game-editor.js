// The game editor: stores the text as a draft, and moves from an error to its line.

import { forget, keep, storedDraft } from "./game-draft.js";

const text = document.getElementById("text");
const note = document.getElementById("brought-back");
const fresh = text.value;

function put(value) {
  text.value = value;
  text.dispatchEvent(new Event("input", { bubbles: true }));
}

const unfold = () => { text.closest("details").open = true; };

// Text from the server is newer than any draft.
const draft = storedDraft();
if (text.dataset.kept === undefined && draft && draft.trim() && draft !== fresh) {
  put(draft);
  unfold();
  note.hidden = false;
  // Checks the draft instead of the saved text, as soon as htmx listens. It may have been changed or
  // discarded by then.
  document.addEventListener("DOMContentLoaded", () => put(text.value));
}
if (text.dataset.kept !== undefined) {
  keep(text.value);
  document.querySelector("#draft-check .faults")?.closest(".panel").scrollIntoView({ block: "center" });
}

text.addEventListener("input", () => { if (text.value.trim()) keep(text.value); else forget(); });
note.querySelector("[data-forget]").addEventListener("click", () => {
  put(fresh);
  forget();
  note.hidden = true;
  text.focus();
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-line]");
  if (!link) return;
  event.preventDefault();
  unfold();
  const lines = text.value.split("\n");
  const start = lines.slice(0, Number(link.dataset.line) - 1).join("\n").length;
  text.focus();
  text.setSelectionRange(start ? start + 1 : 0, start + lines[Number(link.dataset.line) - 1].length + 1);
});
