// Favourites. A star is stored on the phone first, and deleted from the phone when the server has
// confirmed it. The last value applies, so sending a star twice is harmless.

import { token } from "../offline/outbox.js";

const me = document.body.dataset.user;
const KEY = `stars:${me}`;
const TIMEOUT = 10000; // milliseconds without a response

// Storage may be unavailable (private windows); then a star is sent immediately or not at all.
let unkept = {};
function waiting() {
  try { return JSON.parse(localStorage.getItem(KEY)) ?? unkept; } catch { return unkept; }
}
function keep(stars) {
  unkept = stars;
  try {
    if (Object.keys(stars).length) localStorage.setItem(KEY, JSON.stringify(stars));
    else localStorage.removeItem(KEY);
  } catch { /* as above */ }
}

// Unsent stars are applied to every page that this phone shows.
export function show() {
  const stars = waiting();
  for (const button of document.querySelectorAll("[data-star]")) {
    const list = button.form?.querySelector(".found"); // forms drawn by the phone have no stars
    if (list) press(button, list.dataset.favourite.split(" ").includes(button.dataset.star));
    const said = stars[place(button)];
    if (said !== undefined) press(button, said);
  }
}

const place = (button) => (button.form?.dataset.stars ? `${button.form.dataset.stars}${button.dataset.star}/star` : button.getAttribute("formaction"));

function press(button, starred) {
  button.setAttribute("aria-pressed", starred);
  button.value = starred ? "0" : "1";
  const row = button.closest("[data-is]");
  const list = button.form?.querySelector(".found");
  if (row) row.dataset.is = changed(row.dataset.is, "favourite", starred);
  if (list) list.dataset.favourite = changed(list.dataset.favourite, button.dataset.star, starred);
}

const changed = (words, word, isThere) => [...words.split(" ").filter((each) => each && each !== word), ...(isThere ? [word] : [])].join(" ");

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-star]");
  if (!button || button.closest("#record")) return; // record/record-hand.js handles taps on the form
  event.preventDefault();
  toggle(button);
});

export function toggle(button) {
  const starred = button.getAttribute("aria-pressed") !== "true";
  keep({ ...waiting(), [place(button)]: starred });
  press(button, starred);
  send();
}

let sending = null;
export const send = () => (sending ??= sendAll().finally(() => { sending = null; }));

async function sendAll() {
  for (let [next] = Object.entries(waiting()); next; [next] = Object.entries(waiting())) {
    const [at, starred] = next;
    if (!(await isHeard(at, starred))) return;
    const now = waiting();
    if (now[at] === starred) { delete now[at]; keep(now); } // if changed, sent again
  }
}

async function isHeard(at, starred) {
  try {
    const answer = await fetch(at, {
      method: "POST", body: new URLSearchParams({ starred: starred ? "1" : "0" }), redirect: "error", signal: AbortSignal.timeout(TIMEOUT),
      headers: { Accept: "application/json", "Star-Of": me, "X-CSRFToken": token() },
    });
    const result = await answer.json();
    return result.starred === starred || result.why === "gone";
  } catch { return false; }
}

show();
send();
addEventListener("online", send);
document.addEventListener("drawn", show);
