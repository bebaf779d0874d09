// The page on which the next game is named: found by words and chips, drawn anew without the server, and without a
// signal recorded instead of named, since a deal is everybody's.

import "./find.js";
import { draw, shake } from "./suggest.js";

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
form.addEventListener("submit", (event) => {
  if (!isAlone() || !event.submitter) return;
  event.preventDefault();
  event.stopPropagation();
  location.href = `${form.dataset.record}?game=${encodeURIComponent(event.submitter.value)}`;
}, true);
