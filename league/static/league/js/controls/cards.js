// Cards: their notation in records ("As", "10h", "*1", "??"), how they are drawn, and the slots of a
// zone. The zone's text field contains the value.

// Pages that only prepare the phone to work offline have no words.
export const words = JSON.parse(document.getElementById("words")?.textContent ?? "{}");
export const SUITS = { s: "spade", h: "heart", c: "club", d: "diamond" };
export const UNSEEN = "??";
const DOWN = 0.78; // of the picture's height, because cards are closer together on a phone
const ACROSS = 1.15; // of the picture's width; the maximum width, also on wide pages

const CARD = /(?:10|[2-9tjqka])[cdhs]|\*\d|\?\?|[^\s,]+?(?=$|[\s,])/gi;

export const split = (text) => text.trim().match(CARD) ?? [];

// Normalizes the spelling of a card: 10h, Th and tH are the same.
export const proper = (card) => {
  const plain = card.replace(/^10/, "T");
  return /^[2-9tjqka][cdhs]$/i.test(plain) ? plain[0].toUpperCase() + plain[1].toLowerCase() : card;
};

export function read(token) {
  const card = proper(token);
  if (card === UNSEEN) return { rank: "?", suit: "", name: words.unseen };
  if (/^\*\d$/.test(card)) return { rank: card[1], suit: "joker", name: `${words.joker} ${card[1]}` };
  const suit = SUITS[card[1]];
  if (card.length !== 2 || !suit) return { rank: card.slice(0, 3), suit: "", name: card };
  const name = words.card.replace("{rank}", words.ranks[card[0]]).replace("{suit}", words.suits[suit]);
  return { rank: card[0] === "T" ? "10" : card[0], suit, name };
}

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `${words.icons}#${name}`);
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

// Draws the face of a card on a button; an empty token leaves it blank.
export function draw(button, token) {
  const card = token ? read(token) : { rank: "", suit: "", name: words.empty };
  const rank = document.createElement("b");
  rank.textContent = card.rank;
  button.replaceChildren(...(token ? [rank] : []), ...(card.suit ? [icon(card.suit)] : []));
  button.classList.remove("full", "joker", ...Object.values(SUITS));
  if (token) button.classList.add("full");
  if (card.suit) button.classList.add(card.suit);
  return card.name;
}

export const zones = () => [...document.querySelectorAll("#record input[data-zone]")];
export const hand = (input) => split(input.value);
// The third and the fourth run deal as many cards again as the second.
export const most = (input) => {
  const [, place] = /^runs\/[2-9]\/(.*)$/.exec(input.name) ?? [];
  const second = place && document.querySelector(`#record [name="runs/1/${place}"]`);
  return (second && hand(second).length) || Number(input.dataset.most) - unearned(input);
};

// The cards that a player has not earned yet, because the cards that earn them are not up.
function unearned({ name, dataset: { extra } }) {
  if (!extra) return 0;
  const up = new Set(hand(document.querySelector(`#record [name="${name.replace(/\w+$/, "up")}"]`)).map(proper));
  return extra.split(" ").filter((card) => !up.has(card)).length;
}
// The next zone with room. During a deal, the rows of the board take turns, in the order of the deal.
export function nextWithRoom(list) {
  const [first, ...others] = list.filter((each) => hand(each).length < most(each));
  const rows = first?.dataset.turns ? others.filter((each) => each.dataset.turns) : [];
  return rows.reduce((next, row) => (turn(row) < turn(next) ? row : next), first);
}
const turn = (input) => Number(input.dataset.turns.split(" ")[hand(input).length]);
export const least = (input) => Number(input.dataset.least);
export const zoneOf = (slot) => slot.closest(".zone").querySelector("input[data-zone]");
export const slotsOf = (input) => [...input.parentElement.querySelectorAll(".slot")];

export const seen = (input) => {
  const shown = slotsOf(input)[0] ?? input.closest(".zone"); // zones of a drawn board have no box
  return shown.checkVisibility ? shown.checkVisibility() : shown.getClientRects().length > 0;
};

// A hand with optional cards gets its next slot with each card.
export function drawZone(input) {
  const cards = hand(input);
  const slots = row(input, Math.max(Math.min(most(input), Math.max(least(input), cards.length + 1)), cards.length));
  const letters = input.dataset.letters?.split(" ") ?? [];
  slots.forEach((slot, place) => {
    const name = draw(slot, cards[place]);
    if (!cards[place] && letters[place]) slot.append(letter(letters[place]));
    slot.classList.toggle("may", !cards[place] && place >= least(input));
    slot.setAttribute("aria-label", `${input.dataset.label} ${letters[place] ?? place + 1}: ${name}`);
  });
}

// The slot's name on the rules card, until it has a card.
const letter = (text) => Object.assign(document.createElement("i"), { textContent: text });

export function write(input, cards) {
  input.value = cards.join(" ");
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

// The cards that the deck lacks for this zone: the cards of its group, except the card in this
// slot.
export function used(zone, place) {
  const taken = new Set();
  for (const input of zones()) {
    if (input.dataset.group !== zone.dataset.group || away(input)) continue;
    hand(input).forEach((card, at) => {
      if (input !== zone || at !== place) taken.add(proper(card));
    });
  }
  return taken;
}

const away = (input) => input.closest(".seat")?.dataset.state === "away";

// Buttons are reused, so that they keep the focus.
function row(input, count) {
  let box = input.parentElement.querySelector(".slots");
  if (!box) {
    box = document.createElement("div");
    box.className = "slots";
    input.after(box);
    input.tabIndex = -1;
    input.setAttribute("aria-hidden", "true");
  }
  while (box.children.length > count) box.lastChild.remove();
  while (box.children.length < count) {
    const slot = document.createElement("button");
    slot.type = "button";
    slot.className = "slot";
    box.append(slot);
  }
  return [...box.children];
}

// Arranges the slots of the board the way the cards lie on the table, with lines drawn behind them.
export function drawShape() {
  const board = document.querySelector("#record .shaped");
  const lines = board?.querySelector(".lines");
  if (!lines) return;
  const { width, height } = lines.viewBox.baseVal;
  const spots = lines.dataset.spots.trim().split(" ").map((spot) => spot.split(",").map(Number));
  const slots = [...board.querySelectorAll("input[data-zone]")].flatMap(slotsOf);
  board.style.setProperty("--deep", `${height * DOWN}px`);
  board.style.setProperty("--wide", `${width * ACROSS}px`);
  slots.forEach((slot, place) => {
    const [x, y] = spots[place] ?? [width / 2, height];
    slot.style.left = `${(100 * x) / width}%`;
    slot.style.top = `${y * DOWN}px`;
  });
}
