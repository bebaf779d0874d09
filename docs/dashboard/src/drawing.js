// Shared parts of the charts: colours from the page's style, and rendering.

import * as Plot from "@observablehq/plot";

export const WON = "var(--won)";
export const LOST = "var(--lost)";
const STYLE = { fontFamily: "inherit", fontSize: "12px", overflow: "visible" };
export const NARROW = 520;
export const TIP = { stroke: "var(--line)", fill: "var(--panel)", textPadding: 10, lineHeight: 1.25 };

export const sign = (net) => (net < 0 ? LOST : WON);
export const faded = (chosen, name) => (chosen && name !== chosen ? 0.18 : 1);

/** Renders a chart as a single image for screen readers, which can read the table. The labels of its
 * marks move to data attributes, where programs find them. */
export function drawn(options) {
  const picture = Plot.plot({ ...options, style: STYLE });
  picture.role = "img";
  for (const mark of picture.querySelectorAll("[aria-label]")) {
    mark.dataset.label = mark.ariaLabel;
    mark.removeAttribute("aria-label");
  }
  return picture;
}

/** Returns evenly spaced numbers that fit the space. */
export function few(numbers) {
  const step = Math.ceil((numbers.length - 1) / 6) || 1;
  return numbers.filter((_, n) => n % step === 0);
}

export const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** Five colours from the largest loss to the largest win, as in the league's grids. */
export function shade(part) {
  const side = part < 0 ? "lost" : "won";
  const far = Math.abs(part) * 2;
  const [from, to, share] = far < 1 ? ["nothing", `half-${side}`, far] : [`half-${side}`, side, far - 1];
  return `color-mix(in srgb, var(--${to}) ${(100 * share).toFixed(1)}%, var(--${from}))`;
}

/** Returns the text colour with enough contrast; a test of the grids checks the limits. */
export function ink(part) {
  const far = Math.abs(part);
  return `var(--on-${far < 0.657 ? "faint" : far < 0.86 ? "half" : "full"})`;
}

/** Returns players whose names don't overlap, largest wins and losses first. */
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
