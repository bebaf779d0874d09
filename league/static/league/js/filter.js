// A box that leaves of a list (`data-filter`) what has all its words.

import { plain } from "./plain.js";

document.addEventListener("input", ({ target }) => {
  if (!target.matches("[data-filter]")) return;
  const wanted = plain(target.value).trim().split(/\s+/);
  for (const item of document.querySelectorAll(target.dataset.filter)) {
    const text = plain(item.textContent);
    item.hidden = !wanted.every((word) => text.includes(word));
  }
});
