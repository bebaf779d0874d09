// Leaves the chosen player out of the list of who takes or pays the cash.

function leaveOut() {
  for (const list of document.querySelectorAll("select[name=banker]")) {
    const player = list.form.elements.player.value;
    for (const option of list.options) option.disabled = option.hidden = player !== "" && option.value === player;
    if (list.selectedOptions[0]?.disabled) list.value = "";
  }
}

document.addEventListener("change", ({ target }) => { if (target.name === "player") leaveOut(); });
document.addEventListener("redrawn", leaveOut);
leaveOut();
