// Keeps the focus on its field when the server redraws the form.

let held = "";

function address(element) {
  if (!element?.closest("#record")) return "";
  if (element.matches("[name=variant], [data-search]")) return ".picker > summary";
  if (!element.name) return "";
  const value = element.matches("[type=radio], [type=checkbox]") ? `[value="${CSS.escape(element.value)}"]` : "";
  return `[name="${CSS.escape(element.name)}"]${value}`;
}

export const hold = () => { held = address(document.activeElement); };
export function giveBack() {
  if (held) document.getElementById("record").querySelector(held)?.focus({ preventScroll: true });
  held = "";
}
