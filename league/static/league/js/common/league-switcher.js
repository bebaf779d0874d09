// Closes the list of leagues on a tap outside and on Escape.

const list = document.querySelector("details.switcher");

document.addEventListener("click", ({ target }) => { if (!list.contains(target)) list.open = false; });
document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || !list.open) return;
  list.open = false;
  list.querySelector("summary").focus();
});
