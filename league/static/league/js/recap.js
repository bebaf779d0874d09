// A picture goes by the share sheet of the phone. It is there before the tap: a sheet opens only at once after one.

for (const button of document.querySelectorAll("[data-picture]")) {
  if (!navigator.canShare) continue;
  fetch(button.dataset.picture).then((answer) => (answer.ok ? answer.blob() : Promise.reject(answer))).then((blob) => {
    const files = [new File([blob], "recap.png", { type: "image/png" })];
    if (!navigator.canShare({ files })) return;
    button.addEventListener("click", () => navigator.share({ files, title: button.dataset.title }).catch(() => {}));
    button.hidden = false;
  }, () => {});
}
