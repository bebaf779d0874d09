// Leaves of a long list what has the typed words in it, by name or by another name; groups without any go.

const box = document.querySelector("[data-find]");
const plain = (text) => text.normalize("NFKD").toLowerCase().replace(/[^\p{L}\p{N}\s]/gu, "");

function find() {
  const wanted = plain(box.value).split(/\s+/);
  let left = 0;
  for (const group of document.querySelectorAll("[data-family]")) {
    const rows = [...group.querySelectorAll("li")];
    for (const row of rows) {
      const text = plain(`${row.textContent} ${row.dataset.also ?? ""}`);
      row.hidden = !wanted.every((word) => text.includes(word));
    }
    const found = rows.filter((row) => !row.hidden).length;
    group.hidden = !found;
    left += found;
    if (group instanceof HTMLDetailsElement && box.value) group.open = true;
  }
  document.getElementById("none").hidden = left > 0;
}

box.addEventListener("input", find);
find();
