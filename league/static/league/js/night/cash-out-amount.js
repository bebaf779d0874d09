// Fills the cash-out field with the player's chips according to the hands, until the user types
// another number, and shows whether the player is in the open deal.

const player = document.querySelector("select[name=player]");
const chips = document.querySelector("[name=chips]");
let offered = "";

function offer() {
  for (const line of document.querySelectorAll("[data-dealt]")) line.hidden = line.dataset.dealt !== player.value;
  if (chips.value && chips.value !== offered) return;
  offered = player.selectedOptions[0]?.dataset.chips ?? "";
  chips.value = offered;
}

player.addEventListener("change", offer);
offer();
