// Switches the API reference to dark colours if the device is dark.

const dark = matchMedia("(prefers-color-scheme: dark)");
const dress = () => document.documentElement.classList.toggle("dark-mode", dark.matches);

dress();
dark.addEventListener("change", dress);
