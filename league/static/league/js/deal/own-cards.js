// A player enters their own cards: the deck excludes cards that were entered on other phones, and
// names the players who have them.

import * as deck from "../controls/card-keypad.js";
import { drawShape, drawZone, hand, nextWithRoom, proper, seen, slotsOf, zoneOf, zones } from "../controls/cards.js";

const mine = () => zones().filter((zone) => !zone.dataset.claimed);

document.addEventListener("click", (event) => {
  const slot = event.target.closest("#record .slot");
  if (slot) deck.open(zoneOf(slot), slotsOf(zoneOf(slot)).indexOf(slot));
});
document.addEventListener("input", (event) => {
  if (!event.target.matches("#record [data-zone]")) return;
  drawZone(event.target);
  deck.refresh();
});
document.addEventListener("DOMContentLoaded", () => {
  mine().forEach(drawZone);
  drawShape();
  const first = nextWithRoom(mine().filter(seen));
  if (first) deck.open(first);
  name();
});

// Names the player who entered a card.
function name() {
  const whose = new Map(zones().filter((zone) => zone.dataset.claimed).flatMap((zone) => hand(zone).map((card) => [proper(card), zone.dataset.claimed])));
  for (const key of document.querySelectorAll("#sheet [data-card]")) {
    const who = whose.get(key.dataset.card);
    if (who) Object.assign(key, { title: who, ariaLabel: `${key.ariaLabel}, ${who}` });
  }
}
