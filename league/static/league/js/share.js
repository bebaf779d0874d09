// A link goes by the share sheet of the phone, or to the clipboard; where neither works it is marked to be copied by hand.

const copied = async (address, text) => {
  address?.select();
  await navigator.clipboard.writeText(text);
};

for (const button of document.querySelectorAll("[data-share], [data-copy]")) {
  const url = button.dataset.share || button.dataset.copy;
  const sheet = button.dataset.share && navigator.share;
  if (button.dataset.copy && !navigator.clipboard) button.hidden = true;
  button.addEventListener("click", async () => {
    if (sheet) { await navigator.share({ url, title: button.dataset.title }).catch(() => {}); return; }
    await copied(document.getElementById("address"), url).then(() => {
      button.querySelector("span").textContent = button.dataset.done;
    }, () => {});
  });
}
