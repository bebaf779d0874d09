// Shares a picture (of a receipt or a recap) through the phone's share sheet. It is loaded before
// the tap, because a sheet must open at once.

for (const button of document.querySelectorAll("[data-picture]")) {
  if (!navigator.canShare) continue;
  fetch(button.dataset.picture).then((answer) => (answer.ok ? answer.blob() : Promise.reject(answer))).then((blob) => {
    const files = [new File([blob], button.dataset.filename, { type: "image/png" })];
    if (!navigator.canShare({ files })) return;
    button.addEventListener("click", () => navigator.share({ files, title: button.dataset.title }).catch(() => {}));
    button.hidden = false;
  }, () => {});
}
