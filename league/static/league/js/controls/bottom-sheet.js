// The sheet at the bottom of the screen that holds the deck or the keypad: title, back, next, done.

const sheet = document.getElementById("sheet");
const part = (name) => sheet.querySelector(`[data-part="${name}"]`);
let now = null;

export const isSheetOpen = () => now !== null;
export const isCovered = () => isSheetOpen() && !now.isLow;
export const body = part("body");
export const setTitle = (text) => { part("says").textContent = text; };
// Names the next step on the button for the next field, until the sheet shows another field.
export const offerCards = (toCards) => { part("to-cards").hidden = !toCards; };

// `user` implements step(-1 or 1) and optionally closed(hadFocus). If it `isLow`, the sheet leaves
// the page and its save button in view.
export function openSheet(user, ...content) {
  if (now && now !== user) now.closed?.();
  now = user;
  offerCards(false);
  if (body.firstChild !== content[0]) body.replaceChildren(...content); // replaced elements lose the focus
  sheet.hidden = false;
  sheet.classList.toggle("low", !isCovered());
  sheet.style.bottom = isCovered() ? "" : `${innerHeight - document.querySelector("form .bar").getBoundingClientRect().top}px`;
  document.documentElement.classList.toggle("sheet-up", isCovered());
  document.documentElement.classList.toggle("sheet-low", !isCovered());
}

export function closeSheet() {
  const user = now;
  const within = sheet.contains(document.activeElement);
  now = null;
  sheet.hidden = true;
  document.documentElement.classList.remove("sheet-up", "sheet-low");
  user?.closed?.(within);
}

part("before").addEventListener("click", () => now?.step(-1));
part("after").addEventListener("click", () => now?.step(1));
part("done").addEventListener("click", closeSheet);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && isSheetOpen()) closeSheet();
});

// Scrolls the current field into the part of the page that the sheet does not cover.
export function show(...elements) {
  for (const element of elements) element?.scrollIntoView({ block: "nearest" });
}

// When all cards are entered, the save bar flashes and the phone vibrates.
const HELD = 1600; // milliseconds
export function signalDone() {
  const bar = document.querySelector("form .bar");
  bar?.classList.add("cue");
  setTimeout(() => bar?.classList.remove("cue"), HELD);
  navigator.vibrate?.(20);
}
