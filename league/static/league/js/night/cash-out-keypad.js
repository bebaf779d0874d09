// Opens the keypad for the chips of a player who cashes out, to count them by colour.

import { open } from "../controls/chip-keypad.js";

const field = document.querySelector("form[data-chips] input[data-chips]");
field.inputMode = matchMedia("(pointer: coarse)").matches ? "none" : "numeric";
field.addEventListener("click", () => open(field));
