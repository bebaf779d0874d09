// A hand in one line: the server reads the text when the user leaves the field or presses Enter.

const parts = (form) => form.elements.sentence && [form.elements.sentence, form.elements.used_sentence, form.querySelector(".one-line [data-unread]")];

// Without a connection there is no field.
export function drawLine(form) {
  form.querySelector(".one-line")?.toggleAttribute("hidden", !navigator.onLine);
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
