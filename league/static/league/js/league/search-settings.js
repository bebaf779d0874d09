// Folds the groups of settings on phones. The search shows only the settings that contain all typed
// words, and opens their groups.

import { plain } from "../common/ignore-accents.js";

const box = document.querySelector("[data-find-setting]");
const form = document.getElementById("settings");
const groups = [...form.querySelectorAll("details")];
const isNarrow = matchMedia("(max-width: 63.99rem)");

function fold() {
  const target = document.getElementById(location.hash.slice(1));
  for (const group of groups) {
    group.open = !isNarrow.matches || group.contains(target) || Boolean(group.querySelector(".error"));
  }
}

function find() {
  const words = plain(box.value).split(/\s+/);
  for (const group of groups) {
    const title = group.querySelector("h2").textContent;
    for (const field of group.querySelectorAll(".field")) {
      const text = plain(`${title} ${field.textContent}`);
      field.hidden = !words.every((word) => text.includes(word));
    }
    group.hidden = !group.querySelector(".field:not([hidden])");
    group.open = !group.hidden;
    document.querySelector(`.group-nav a[href="#${group.id}"]`).hidden = group.hidden;
  }
  document.getElementById("none").hidden = groups.some((group) => !group.hidden);
  if (!box.value.trim()) fold();
}

box.addEventListener("input", find);
addEventListener("hashchange", fold);
isNarrow.addEventListener("change", fold);
// The browser can't point to an invalid field that is hidden.
form.addEventListener("invalid", ({ target }) => {
  box.value = "";
  for (const field of form.querySelectorAll(".field")) field.hidden = false;
  for (const group of groups) group.hidden = false;
  target.closest("details").open = true;
}, true);
fold();
form.classList.add("folded");
document.getElementById(location.hash.slice(1))?.scrollIntoView();
