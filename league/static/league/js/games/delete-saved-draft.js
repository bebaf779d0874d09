// Deletes the draft of a game that was saved.

import { saved } from "./game-draft.js";

saved(document.querySelector("[data-written]").textContent);
