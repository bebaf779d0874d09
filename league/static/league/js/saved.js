// On the page of a saved game: what it says needs no draft any more.

import { saved } from "./drafts.js";

saved(document.querySelector("[data-written]").textContent);
