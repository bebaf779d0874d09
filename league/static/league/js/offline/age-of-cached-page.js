// Shows when the page was cached, until the connection is back.

const note = document.getElementById("stale");
const time = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

note.querySelector("time").textContent = time.format(Number(document.documentElement.dataset.kept));
note.hidden = false;
addEventListener("online", () => { note.hidden = true; });
