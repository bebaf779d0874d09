// Shows the recorded facts of a hand without a result in the places for them.
export function fillFacts(root, { pot = "", showed = "" }) {
  root.querySelector("[data-part=facts-pot]").textContent = pot;
  const names = root.querySelector("[data-part=facts-showed]");
  names.hidden = !showed;
  names.querySelector("span").textContent = showed;
}
