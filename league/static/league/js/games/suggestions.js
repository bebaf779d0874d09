// Draws three games to deal, as league/deals/proposals.py does, for phones without a connection.
// The same seed gives the same games.

const SEEDS = 10000;
const SLOTS = ["favourite", "dealt", "new"];
const FAMILY = 2; // the attribute of a row

// FNV-1a of 32 bits, with the final mix of MurmurHash3.
function lot(seed, slug) {
  let made = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(`${seed}:${slug}`)) made = Math.imul(made ^ byte, 0x01000193);
  made = Math.imul(made ^ (made >>> 16), 0x85ebca6b);
  made = Math.imul(made ^ (made >>> 13), 0xc2b2ae35);
  return (made ^ (made >>> 16)) >>> 0;
}

function read(row) {
  const parts = row.dataset.is.split(" ");
  const [least, most] = parts[0].split("-").map(Number);
  const kinds = new Set(parts.slice(FAMILY + 1));
  const why = kinds.has("loved") ? "favourite" : kinds.has("dealt") ? "dealt" : "new";
  return { slug: row.querySelector("[name=variant]").value, name: row.querySelector("b, .name").textContent, least, most, family: parts[FAMILY], kinds, why };
}

export function suggest(rows, seated, seed) {
  const fit = rows.filter((row) => row.dataset.is).map(read).filter(({ least, most, kinds }) => least <= seated && seated <= most && !kinds.has("lately"));
  const drawn = fit.map((game) => ({ ...game, lot: lot(seed, game.slug) })).sort((a, b) => a.lot - b.lot || (a.slug < b.slug ? -1 : 1));
  const picked = [];
  for (const wanted of SLOTS) {
    const left = drawn.filter((game) => !picked.includes(game));
    const rank = (game) => 2 * picked.some(({ family }) => family === game.family) + (game.why !== wanted);
    const [best] = left.sort((a, b) => rank(a) - rank(b)); // the first game of the draw stays first
    if (best) picked.push(best);
  }
  return picked;
}

// Draws the suggestions in the box. `button(game)` creates a button.
export function draw(box, rows, seated, button) {
  const seed = Number(box.dataset.seed);
  const games = suggest(rows, seated, seed).map((game) => {
    const made = button(game);
    made.className = "button proposal";
    made.append(Object.assign(document.createElement("b"), { textContent: game.name }), Object.assign(document.createElement("span"), { className: "muted small", textContent: box.dataset[game.why] }));
    return made;
  });
  box.replaceChildren(...games);
  if (!games.length) box.textContent = box.dataset.none ?? "";
}

export function shake(box) {
  box.dataset.seed = String((Number(box.dataset.seed) + 1) % SEEDS).padStart(4, "0");
}
