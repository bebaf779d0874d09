// What the pictures share: their colours, which are those of the page, and how they are put into it.

import * as Plot from "@observablehq/plot";

export const WON = "var(--won)";
export const LOST = "var(--lost)";
const STYLE = { fontFamily: "inherit", fontSize: "12px", overflow: "visible" };
export const NARROW = 520;
export const TIP = { stroke: "var(--line)", fill: "var(--panel)", textPadding: 10, lineHeight: 1.25 };

export const sign = (net) => (net < 0 ? LOST : WON);
export const faded = (chosen, name) => (chosen && name !== chosen ? 0.18 : 1);

/** One image to whoever can't see it, who has the table: a name on each of its marks is no help there,
 * and stands where programs find it. */
export function drawn(options) {
  const picture = Plot.plot({ ...options, style: STYLE });
  picture.role = "img";
  for (const mark of picture.querySelectorAll("[aria-label]")) {
    mark.dataset.label = mark.ariaLabel;
    mark.removeAttribute("aria-label");
  }
  return picture;
}

/** Of many numbers, at even steps, those for which there is room. */
export function few(numbers) {
  const step = Math.ceil((numbers.length - 1) / 6) || 1;
  return numbers.filter((_, n) => n % step === 0);
}

export const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** Five tones from all that was lost to all that was won, as the league's own grids have them. */
export function shade(part) {
  const side = part < 0 ? "lost" : "won";
  const far = Math.abs(part) * 2;
  const [from, to, share] = far < 1 ? ["nothing", `half-${side}`, far] : [`half-${side}`, side, far - 1];
  return `color-mix(in srgb, var(--${to}) ${(100 * share).toFixed(1)}%, var(--${from}))`;
}

/** What can be read on it; a test of those grids holds where it changes. */
export function ink(part) {
  const far = Math.abs(part);
  return `var(--on-${far < 0.657 ? "faint" : far < 0.86 ? "half" : "full"})`;
}

/** Those whose names don't stand on one another, who won or lost most before the others. */
export function apart(points, { width, height, reach, chosen }) {
  const nets = points.map((each) => each.net);
  const tall = Math.max(...nets) - Math.min(...nets) || 1;
  const named = [];
  const weight = (each) => (each.name === chosen ? Infinity : Math.abs(each.net));
  for (const point of [...points].sort((one, other) => weight(other) - weight(one))) {
    const meets = ({ name, luck, net }) =>
      (Math.abs(luck - point.luck) / (2 * reach)) * width < 4 * (name.length + point.name.length) &&
      (Math.abs(net - point.net) / tall) * height < 18;
    if (!named.some(meets)) named.push(point);
  }
  return named;
}
