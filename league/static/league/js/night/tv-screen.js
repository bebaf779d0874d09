// The TV screen of a night: its clock, and the time that a verdict is shown. live-updates.js loads
// changes, and screen.css moves the chips to the winner (the animation `paid`).

const TICK = 1000; // milliseconds
const clock = document.getElementById("clock");
const ahead = Date.parse(clock.dataset.now) - Date.now(); // a TV's own clock is often wrong
const time = new Intl.DateTimeFormat(document.documentElement.lang, {
  hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: clock.dataset.zone,
});
let ends = 0;

function tick() {
  const now = time.format(new Date(Date.now() + ahead));
  if (clock.textContent !== now) clock.textContent = now;
  if (performance.now() > ends) document.querySelector(".verdict")?.classList.add("over");
}

// The script does not hide the verdict, because hidden elements are not updated with the night.
function begin() {
  const verdict = document.querySelector(".verdict");
  ends = performance.now() + Number(verdict?.dataset.seconds ?? 0) * 1000;
}

document.addEventListener("redrawn", begin);
document.addEventListener("click", () => {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => null);
});
begin();
setInterval(tick, TICK);
