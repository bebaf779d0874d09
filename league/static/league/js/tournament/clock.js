// The tournament clock: continues from the server's time by the elapsed time, independently of the
// phone's clock. live-updates.js loads changes.

import { announce } from "./announce-levels.js";

const TICK = 250; // milliseconds
const MINUTE = 60000;
const anchors = new WeakMap();
let before = null; // the level and its remaining time at the last tick
const number = new Intl.NumberFormat(document.documentElement.lang);

// The time reported by the server, and when it was received. A new report restarts the count.
function anchor(clock) {
  const said = `${clock.dataset.passed} ${clock.dataset.runs} ${clock.dataset.levels}`;
  let found = anchors.get(clock);
  if (found?.said !== said) {
    found = { said, at: performance.now(), levels: JSON.parse(clock.dataset.levels) };
    anchors.set(clock, found);
  }
  return found;
}

function moment(levels, elapsed) {
  let begun = 0;
  for (const [at, level] of levels.entries()) {
    const lasts = level.seconds * 1000;
    if (elapsed < begun + lasts) return { at, left: begun + lasts - elapsed };
    begun += lasts;
  }
  return { at: levels.length - 1, left: 0 };
}

function text(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  const two = (count) => String(count).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

// The time until the next break; null if there are no more breaks.
function untilBreak(levels, elapsed) {
  let begins = 0;
  for (const level of levels) {
    if (!level.big && begins > elapsed) return begins - elapsed;
    begins += level.seconds * 1000;
  }
  return null;
}

function blinds({ small, big, ante }) {
  const both = big ? `${number.format(small)} / ${number.format(big)}` : "";
  return ante ? `${both} + ${number.format(ante)}` : both;
}

function say(clock, what, words) {
  const place = clock.querySelector(`[data-says-${what}]`);
  if (place && place.textContent !== words) place.textContent = words;
}

// Announces a new level, and the last minute of a level. Changes by a host are announced too.
function announceLevel(clock, now, level) {
  const { level: word, break: pause, minute, spoken } = clock.dataset;
  const [last, isOver] = [before, !now.left];
  before = now;
  if (!last || !clock.dataset.runs || isOver) return;
  if (last.at !== now.at) {
    navigator.vibrate?.([200, 100, 200]);
    const begins = level.big ? `${word} ${now.played}. ${spoken.replace("%s", level.small).replace("%s", level.big)}` : pause;
    announce(3, `${begins}. ${level.note}`);
  } else if (last.left > MINUTE && now.left <= MINUTE) announce(1, minute);
}

function draw(clock) {
  const { at, levels } = anchor(clock);
  const since = clock.dataset.runs ? performance.now() - at : 0;
  const elapsed = Number(clock.dataset.passed) + since;
  const now = moment(levels, elapsed);
  const rests = untilBreak(levels, elapsed);
  const level = levels[now.at];
  const following = levels[now.at + 1];
  const played = levels.slice(0, now.at + 1).filter(({ big }) => big).length;
  const { level: word, break: pause, next, choice } = clock.dataset;
  say(clock, "level", level.big ? `${word} ${played}` : pause);
  say(clock, "left", text(now.left));
  say(clock, "blinds", blinds(level));
  say(clock, "game", level.big ? level.game || choice : "");
  say(clock, "note", level.note);
  say(clock, "break", rests === null ? "" : clock.dataset.in.replace("%s", text(rests)));
  const then = following?.big ? [blinds(following), following.game].filter(Boolean).join(" · ") : pause;
  say(clock, "next", following ? `${next}: ${then}` : "");
  clock.classList.toggle("rests", !level.big);
  clock.classList.toggle("ends", Boolean(clock.dataset.runs) && now.left <= MINUTE);
  announceLevel(clock, { ...now, played }, level);
}

const drawAll = () => document.querySelectorAll("[data-tournament-clock]").forEach(draw);
document.addEventListener("redrawn", drawAll);
drawAll();
setInterval(drawAll, TICK);
