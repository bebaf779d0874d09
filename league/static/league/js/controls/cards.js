// Cards: their notation in records ("As", "10h", "*1", "??"), and how they are drawn.

// Pages that only prepare the phone to work offline have no words.
export const words = JSON.parse(document.getElementById("words")?.textContent ?? "{}");
export const SUITS = { s: "spade", h: "heart", c: "club", d: "diamond" };
export const UNSEEN = "??";

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
