// Shows on the button which declaration it locks in, because a locked one can't be changed.

document.addEventListener("change", ({ target }) => {
  if (!target.matches(".declaring [name=declared]")) return;
  const button = target.form.querySelector("[data-names]");
  button.textContent = button.dataset.names.replace("{choice}", target.closest("label").textContent.trim());
});
