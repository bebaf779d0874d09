// Shows only the settings that contain all typed words, and their groups.

import { plain } from "../games/plain-text.js";

const box = document.querySelector("[data-find-setting]");
const form = document.getElementById("settings");
const groups = [...form.querySelectorAll("section")];

function find() {
  const words = plain(box.value).split(/\s+/);
  for (const group of groups) {
    const title = group.querySelector("h2").textContent;
    for (const field of group.querySelectorAll(".field")) {
      const text = plain(`${title} ${field.textContent}`);
      field.hidden = !words.every((word) => text.includes(word));
    }
    group.hidden = !group.querySelector(".field:not([hidden])");
    document.querySelector(`.group-nav a[href="#${group.id}"]`).hidden = group.hidden;
  }
  document.getElementById("none").hidden = groups.some((group) => !group.hidden);
}

box.addEventListener("input", find);
// The browser can't point to an invalid field that is hidden.
form.addEventListener("invalid", () => { box.value = ""; find(); }, true);
