// Orders the players of a new night by seat: a tick seats a player last, and arrows or dragging
// move a player. The seat fields send the order to the server.

const list = document.querySelector("[data-seating]");
const rows = () => [...list.children];
const sits = (row) => row.querySelector("[type=checkbox]");
const seat = (row) => row.querySelector("[name^=seat-]");
const ticked = () => rows().filter((row) => sits(row).checked);

function number() {
  rows().forEach((row, place) => { seat(row).value = place + 1; });
  const playing = ticked();
  for (const button of list.querySelectorAll("[data-move]")) {
    const row = button.closest("li");
    button.disabled = !sits(row).checked || row === (button.dataset.move === "up" ? playing[0] : playing.at(-1));
  }
  const few = playing.length < 2;
  const form = list.closest("form");
  form.querySelector("[data-start]").disabled = few;
  form.querySelector("[data-few]").hidden = !few;
}

// Seated players by seat, then all others; players added by a search stay on top.
function order(row) {
  if (!seat(row).value) return [-1, 0];
  return [sits(row).checked ? 0 : 1, Number(seat(row).value)];
}

function sort() {
  const placed = rows().map((row) => [row, order(row)]);
  placed.sort(([, [one, first]], [, [other, second]]) => one - other || first - second);
  list.append(...placed.map(([row]) => row));
}

list.addEventListener("change", ({ target }) => {
  if (target.type !== "checkbox") return;
  const row = target.closest("li");
  if (target.checked) {
    const last = ticked().findLast((each) => each !== row);
    if (last) last.after(row); else list.prepend(row);
    target.focus({ preventScroll: true });
  }
  number();
});

list.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-move]");
  if (!button) return;
  const row = button.closest("li");
  const playing = ticked();
  const at = playing.indexOf(row);
  if (button.dataset.move === "up") playing[at - 1]?.before(row);
  else playing[at + 1]?.after(row);
  number();
  (button.disabled ? row.querySelector("[data-move]:enabled") : button)?.focus();
});

// All players stand up, and taps seat them in order.
document.querySelector("[data-seat-order]").addEventListener("click", () => {
  for (const row of rows()) sits(row).checked = false;
  number();
  sits(rows()[0]).focus({ preventScroll: true });
});

document.querySelector("[data-same]")?.addEventListener("click", ({ currentTarget }) => {
  for (const row of rows()) sits(row).checked = "last" in row.dataset;
  const places = new Map(rows().map((row) => [row, Number(row.dataset.last ?? Infinity)]));
  list.append(...rows().sort((one, other) => places.get(one) - places.get(other) || 0));
  list.closest("form").querySelector("[name=usual]").value = currentTarget.dataset.usual;
  number();
});

// A row is dragged by its avatar. The other rows move around the dragged row, so that it stays
// under the pointer.
const swallow = (event) => event.preventDefault(); // the click after a drag would change the tick
const middle = (row) => { const { top, height } = row.getBoundingClientRect(); return top + height / 2; };

list.addEventListener("pointerdown", ({ target, pointerId }) => {
  const row = target.closest(".avatar")?.closest("li");
  if (!row || !sits(row).checked) return;
  target.setPointerCapture(pointerId);
  const drag = ({ clientY }) => {
    const playing = ticked();
    const [before, after] = [playing[playing.indexOf(row) - 1], playing[playing.indexOf(row) + 1]];
    if (before && clientY < middle(before)) row.after(before);
    else if (after && clientY > middle(after)) row.before(after);
    else return;
    row.classList.add("dragged");
  };
  target.addEventListener("pointermove", drag);
  target.addEventListener("lostpointercapture", () => {
    target.removeEventListener("pointermove", drag);
    if (!row.classList.contains("dragged")) return;
    row.classList.remove("dragged");
    number();
    addEventListener("click", swallow, true);
    setTimeout(() => removeEventListener("click", swallow, true));
  }, { once: true });
});

sort();
number();
// When a page is shown again, submit-once.js restores the buttons.
addEventListener("pageshow", () => setTimeout(number));
