// Sends a picture (of a night, a receipt or a season) through the phone's share sheet. The picture
// is loaded before the tap, because the sheet must open immediately. If pictures can't be sent, a
// link is shared or copied. If that fails too, or without scripts, the picture is saved.

const files = new Map();

async function load(address, filename) {
  files.set(address, null);
  const answer = await fetch(address);
  if (!answer.ok) return;
  const file = [new File([await answer.blob()], filename, { type: "image/png" })];
  if (!navigator.canShare({ files: file })) return;
  files.set(address, file);
  for (const button of document.querySelectorAll("[data-picture][hidden]")) button.hidden = button.dataset.picture !== address;
}

function prepare() {
  if (!navigator.canShare) return;
  for (const { dataset } of document.querySelectorAll("[data-picture]")) {
    if (!files.has(dataset.picture)) load(dataset.picture, dataset.filename).catch(() => files.delete(dataset.picture));
  }
}

function save({ picture, filename }) {
  Object.assign(document.createElement("a"), { href: picture, download: filename }).click();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-picture]");
  if (!button) return;
  const { picture, title, link, done } = button.dataset;
  const file = files.get(picture);
  const url = link && `${location.origin}${link}`;
  if (!file && !url) return;
  if (file || navigator.share) {
    event.preventDefault();
    navigator.share(file ? { files: file, title } : { url, title }).catch((error) => {
      if (error.name !== "AbortError") save(button.dataset); // not closed by the user
    });
  } else if (navigator.clipboard) {
    event.preventDefault();
    navigator.clipboard.writeText(url).then(() => { button.querySelector("span").textContent = done; }, () => save(button.dataset));
  }
});

prepare();
document.addEventListener("redrawn", prepare);
