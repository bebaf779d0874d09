// Names the next game: search, filters and suggestions work without the server. Without a
// connection, the recording page opens instead, because a named deal is shared by all phones.

import { find } from "../games/search-form.js";
import { draw, shake } from "../games/suggestions.js";

const form = document.getElementById("named");
const box = document.querySelector("[data-suggestions]");
const rows = [...document.querySelectorAll(".games-to-name > li")];
const made = ({ slug }) => {
  const button = Object.assign(document.createElement("button"), { name: "variant", value: slug });
  button.setAttribute("form", form.id);
  return button;
};
const isAlone = () => Boolean(document.documentElement.dataset.kept) || !navigator.onLine;

document.querySelector("[data-shake]").addEventListener("click", (event) => {
  event.preventDefault();
  shake(box);
  draw(box, rows, Number(box.dataset.seated), made);
});
// Enter in the search names the first game found, as on the recording page.
const search = document.querySelector("[data-finder]");
search.addEventListener("submit", () => find().then(() => {
  const first = document.querySelector(".games-to-name > li:not([hidden]) button");
  if (search.q.value.trim()) first?.click();
}));
form.addEventListener("submit", (event) => {
  if (!isAlone() || !event.submitter) return;
  event.preventDefault();
  event.stopPropagation();
  location.href = `${form.dataset.record}?game=${encodeURIComponent(event.submitter.value)}`;
}, true);
