// Cashing out starts from the chips that the hands leave: they are in the field until another number is typed.

const player = document.querySelector("select[name=player]");
const chips = document.querySelector("[name=chips]");
let offered = "";

function offer() {
  if (chips.value && chips.value !== offered) return;
  offered = player.selectedOptions[0]?.dataset.chips ?? "";
  chips.value = offered;
}

player.addEventListener("change", offer);
offer();
