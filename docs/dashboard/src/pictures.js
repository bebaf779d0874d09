// The four charts. Colours are CSS variables (style.css), which follow the dark mode.

import * as Plot from "@observablehq/plot";
import { apart, cut, drawn, faded, few, ink, LOST, NARROW, shade, sign, TIP, WON } from "./drawing.js";
import { count, date, percent, short, signed, whole } from "./words.js";

/** One panel for each player, on a common scale. */
export function netByNight({ net }, { width, chosen }) {
  const totals = new Map();
  for (const row of net) totals.set(row.player, (totals.get(row.player) ?? 0) + row.net);
  const panels = [...totals].sort(([, one], [, other]) => other - one);
  const columns = Math.min(panels.length, width < NARROW ? 2 : width < 900 ? 3 : 4);
  const place = new Map(panels.map(([name], n) => [name, [n % columns, Math.floor(n / columns)]]));
  const last = Math.max(...net.map((row) => row.night));
  const nights = Array.from({ length: last }, (_, n) => n + 1);
  const at = { fx: (name) => place.get(name)[0], fy: (name) => place.get(name)[1] };
  const facet = { fx: (row) => at.fx(row.player), fy: (row) => at.fy(row.player) };
  const names = panels.map(([name]) => name);
  const head = { ...at, dy: -14, lineAnchor: "bottom", fillOpacity: (name) => faded(chosen, name) };
  return drawn({
    width,
    height: 54 + 122 * Math.ceil(panels.length / columns),
    marginTop: 34,
    marginLeft: 46,
    marginRight: 2,
    marginBottom: 34,
    ariaLabel: "Net by night",
    ariaDescription: "A panel for each player, a bar for each night: blue won, orange lost.",
    fx: { axis: null, padding: width < NARROW ? 0.1 : 0.08 },
    fy: { axis: null, padding: 0.36 },
    x: {
      domain: nights,
      label: "night",
      labelAnchor: "right",
      labelArrow: "none",
      tickSize: 0,
      ticks: few(nights),
      padding: 0.22,
    },
    y: { label: null, ticks: 3, tickSize: 0, tickFormat: short, grid: true, nice: true },
    marks: [
      Plot.ruleY([0], { stroke: "var(--zero)" }),
      Plot.barY(net, {
        ...facet,
        x: "night",
        y: "net",
        rx: 1.5,
        fill: (row) => sign(row.net),
        fillOpacity: (row) => faded(chosen, row.player),
        ariaLabel: (row) => `${row.player}, night ${row.night}: ${row.net}`,
      }),
      Plot.text(names, {
        ...head,
        frameAnchor: "top-left",
        text: (name) => name,
        fontWeight: 650,
        fontSize: 13,
      }),
      Plot.text(names, {
        ...head,
        frameAnchor: "top-right",
        textAnchor: "end",
        text: (name) => signed(totals.get(name)),
        fill: (name) => sign(totals.get(name)),
      }),
      Plot.tip(net, Plot.pointerX({
        ...facet,
        ...TIP,
        x: "night",
        y: "net",
        title: (row) => `${row.player}, night ${row.night}\n${date(row.date)}\n${signed(row.net)} chips`,
      })),
    ],
  });
}

/** A row for each game, a column for each dealer; cells show the dealer's net of own calls. */
export function ownDeals({ matrix: { games, cells } }, { width, chosen }) {
  const dealers = [...new Set(cells.map((cell) => cell.dealer))];
  dealers.sort((one, other) => one.localeCompare(other));
  const pairs = games.flatMap((game) => dealers.map((dealer) => ({ game, dealer })));
  const most = Math.max(1, ...cells.map((cell) => Math.abs(cell.net)));
  const phone = width < NARROW;
  const letter = 6.9;
  const left = Math.min(phone ? 84 : 176, 10 + letter * Math.max(6, ...games.map((game) => game.length)));
  const longest = Math.min(14, Math.max(...dealers.map((name) => name.length)));
  const leans = (width - left) / dealers.length < letter * longest;
  const right = leans ? 4 + 3.6 * longest : 1; // slanted names extend beyond the last column
  const wide = Math.max(width, left + (phone ? 24 : 30) * dealers.length + right);
  const small = (wide - left - right) / dealers.length < 36;
  const room = Math.floor((left - 8) / letter);
  return drawn({
    width: wide,
    height: 26 + (leans ? 5.2 * longest : 8) + 30 * games.length,
    marginTop: leans ? 22 + 5.2 * longest : 30,
    marginLeft: left,
    marginRight: right,
    marginBottom: 4,
    ariaLabel: "Chips from one's own deals, the twelve games dealt most",
    ariaDescription: "A row for each game, a column for each dealer, chips in the cells.",
    x: {
      domain: dealers,
      axis: "top",
      label: null,
      tickSize: 0,
      tickRotate: leans ? -50 : 0,
      tickFormat: (name) => cut(name, 14),
      padding: 0.06,
    },
    y: { domain: games, label: null, tickSize: 0, padding: 0.1, tickFormat: (game) => cut(game, room) },
    marks: [
      Plot.cell(pairs, {
        x: "dealer",
        y: "game",
        rx: 3,
        fill: "var(--well)",
      }),
      Plot.cell(cells, {
        x: "dealer",
        y: "game",
        rx: 3,
        fill: (cell) => shade(cell.net / most),
        opacity: (cell) => faded(chosen, cell.dealer),
        ariaLabel: (cell) => `${cell.game}, ${cell.dealer}: ${cell.net}`,
      }),
      Plot.text(cells, {
        x: "dealer",
        y: "game",
        text: (cell) => short(cell.net),
        fill: (cell) => ink(cell.net / most),
        opacity: (cell) => faded(chosen, cell.dealer),
        fontSize: small ? 9.5 : 12,
      }),
      Plot.tip(cells, Plot.pointer({
        ...TIP,
        x: "dealer",
        y: "game",
        title: (cell) =>
          `${cell.dealer} deals ${cell.game}\n${count(cell.hands, "hand")}\n${signed(cell.net)} chips`,
      })),
    ],
  });
}

/** Total net by luck: the vertical axis is the net, the horizontal one luck, bars are chance. */
export function luckAndResult({ luck }, { width, chosen }) {
  const height = width < NARROW ? 340 : 380;
  const opacity = (row) => faded(chosen, row.name);
  const reach = Math.max(1, ...luck.map((row) => Math.abs(row.luck) + row.margin));
  return drawn({
    width,
    height,
    marginTop: 26,
    marginLeft: 48,
    marginRight: 14,
    marginBottom: 40,
    ariaLabel: "Luck against result",
    ariaDescription: "A point for each player: luck to the right with its interval, the result upwards.",
    x: {
      domain: [-reach, reach],
      inset: 4,
      label: "luck at showdowns (chips)",
      labelAnchor: "right",
      tickSize: 0,
      ticks: width / 90,
      tickFormat: short,
    },
    y: { label: "net (chips)", tickSize: 0, ticks: 6, tickFormat: short, grid: true, inset: 14 },
    marks: [
      Plot.ruleX([0], { stroke: "var(--zero)" }),
      Plot.ruleY([0], { stroke: "var(--zero)" }),
      Plot.ruleY(luck, {
        x1: (row) => row.luck - row.margin,
        x2: (row) => row.luck + row.margin,
        y: "net",
        stroke: (row) => sign(row.net),
        strokeWidth: 2,
        opacity: (row) => 0.6 * opacity(row),
        marker: "tick",
      }),
      Plot.dot(luck, {
        x: "luck",
        y: "net",
        r: 5.5,
        fill: (row) => sign(row.net),
        stroke: "var(--panel)",
        strokeWidth: 1.5,
        opacity,
        ariaLabel: (row) => `${row.name}: luck ${row.luck}, margin ${row.margin}, net ${row.net}`,
      }),
      Plot.text(apart(luck, { width, height, reach, chosen }), {
        x: "luck",
        y: "net",
        text: "name",
        dy: -13,
        fontWeight: 650,
        stroke: "var(--panel)",
        strokeWidth: 4,
        fill: "var(--ink)",
        opacity,
      }),
      Plot.tip(luck, Plot.pointer({
        ...TIP,
        x: "luck",
        y: "net",
        title: (row) =>
          `${row.name}\n${signed(row.net)} chips in all\n${signed(row.luck)} ± ${short(row.margin)} of luck`,
      })),
    ],
  });
}

/** The share of wrongly paid hands, with Wilson's 95 % interval. */
export function mistakesByHour({ hours }, { width }) {
  return drawn({
    width,
    height: 270,
    marginTop: 26,
    marginLeft: 48,
    marginRight: 2,
    marginBottom: 40,
    ariaLabel: "Hands that the table paid out wrongly, by hour of the night",
    ariaDescription: "A bar for each hour, its interval, and how many hands it had.",
    x: {
      type: "band",
      label: "hour of the night",
      labelAnchor: "right",
      labelArrow: "none",
      tickSize: 0,
      padding: 0.3,
    },
    y: {
      label: "hands paid out wrongly",
      tickSize: 0,
      ticks: 5,
      tickFormat: percent,
      grid: true,
      nice: true,
      insetTop: 12,
    },
    marks: [
      Plot.barY(hours, {
        x: "hour",
        y: "rate",
        rx: 3,
        fill: WON,
        ariaLabel: (row) => `hour ${row.hour}: ${row.wrong_payout} of ${row.hands}`,
      }),
      Plot.ruleX(hours, {
        x: "hour",
        y1: "low",
        y2: "high",
        stroke: LOST,
        strokeWidth: 2,
        marker: "tick",
      }),
      Plot.text(hours, {
        x: "hour",
        y: "high",
        dy: -9,
        text: (row) => whole(row.hands),
        fill: "var(--muted)",
      }),
      Plot.ruleY([0], { stroke: "var(--zero)" }),
      Plot.tip(hours, Plot.pointerX({
        ...TIP,
        x: "hour",
        y: "rate",
        title: (row) =>
          `Hour ${row.hour}\n${row.wrong_payout} of ${count(row.hands, "hand")}\n` +
          `${percent(row.low)} to ${percent(row.high)}`,
      })),
    ],
  });
}
