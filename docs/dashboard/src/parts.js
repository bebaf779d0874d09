// Parts of the page besides charts: the choice of a player, and tables.

/** Buttons for all players or one of them. A change dispatches an `input` event. */
export function whoToLookAt(names) {
  const group = document.createElement("div");
  group.className = "who";
  group.role = "group";
  group.ariaLabel = "Who to look at";
  group.value = null;
  for (const name of [null, ...names]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = name ?? "Everybody";
    button.ariaPressed = String(name === null);
    button.onclick = () => {
      group.value = name;
      for (const each of group.children) each.ariaPressed = String(each === button);
      group.dispatchEvent(new Event("input", { bubbles: true }));
    };
    group.append(button);
  }
  return group;
}

/** The figures as a table: `columns` are headings, each with a function of a row. */
export function table(rows, columns) {
  const box = document.createElement("details");
  const summary = box.appendChild(document.createElement("summary"));
  summary.textContent = "The numbers";
  const scroll = box.appendChild(document.createElement("div"));
  scroll.className = "scroll";
  scroll.tabIndex = 0;
  const made = scroll.appendChild(document.createElement("table"));
  line(made.createTHead(), "th", Object.keys(columns));
  const body = made.createTBody();
  for (const row of rows) line(body, "td", Object.values(columns).map((told) => told(row)));
  return box;
}

function line(part, kind, texts) {
  const row = part.appendChild(document.createElement("tr"));
  for (const text of texts) {
    const cell = row.appendChild(document.createElement(kind));
    cell.textContent = text;
    if (kind === "th") cell.scope = "col";
    if (/^[+-]?[\d.,]+%?$/.test(text)) cell.className = "number";
  }
}
