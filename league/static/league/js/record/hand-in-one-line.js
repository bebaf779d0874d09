// A hand in one line: the server reads the text when the user leaves the field or presses Enter.

const parts = (form) => form.elements.sentence && [form.elements.sentence, form.elements.used_sentence, form.querySelector(".one-line [data-unread]")];

// A text that was only partly understood, which the user accepted.
let accepted = "";
const half = (form) => form.querySelector(".one-line [data-half]");

// Without a connection there is no field.
export function drawLine(form) {
  form.querySelector(".one-line")?.toggleAttribute("hidden", !navigator.onLine);
  half(form)?.toggleAttribute("hidden", form.elements.sentence.value === accepted);
}

// Returns whether parts of the text were not understood and the user has not accepted that.
export const isHalfRead = (form) => Boolean(form.elements.sentence?.value.trim()) && half(form)?.checkVisibility() === true;

export function acceptLine(form) {
  accepted = form.elements.sentence.value;
  drawLine(form);
}

export function showHalfRead(form) {
  half(form).scrollIntoView({ block: "center" });
  half(form).querySelector("button").focus({ preventScroll: true });
}

// Returns whether the text was changed after it filled the form.
export function isUnread(form) {
  const [sentence, used, unread] = parts(form) ?? [];
  return Boolean(sentence?.value.trim()) && sentence.value !== used.value && navigator.onLine && unread.hidden;
}

// Deleting the text keeps what it filled. `fill` returns whether the server has drawn the form.
export async function readLine(form, fill) {
  const [sentence, used, unread] = parts(form);
  unread.hidden = true;
  if (!sentence.value.trim()) used.value = "";
  else if (sentence.value !== used.value) unread.hidden = await fill();
}
