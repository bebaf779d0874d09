// Arranges the board's slots the way the cards lie on the table, with lines drawn behind them.

import { slotsOf } from "../controls/card-zones.js";

const DOWN = 0.78; // of the picture's height, because cards are closer together on a phone
const ACROSS = 1.15; // of the picture's width; the maximum width, also on wide pages

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
