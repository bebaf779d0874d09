// The page of the API's document is as dark as the device wants: its own colours go by a class.

const dark = matchMedia("(prefers-color-scheme: dark)");
const dress = () => document.documentElement.classList.toggle("dark-mode", dark.matches);

dress();
dark.addEventListener("change", dress);
