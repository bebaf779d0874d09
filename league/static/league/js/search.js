// Finds a game by a part of its name.

export function filter(box) {
  const wanted = box.value.trim().toLowerCase().split(/\s+/);
  for (const choice of document.querySelectorAll("#record .choice")) {
    const text = choice.textContent.toLowerCase();
    choice.hidden = !wanted.every((word) => text.includes(word));
  }
}
