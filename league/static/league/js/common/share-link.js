// Shares a link through the phone's share sheet, or copies it. If neither works, selects the link
// so that it can be copied by hand.

const copied = async (address, text) => {
  if (address?.select) address.select();
  else if (address) getSelection().selectAllChildren(address);
  await navigator.clipboard.writeText(text);
};

document.documentElement.classList.toggle("no-clipboard", !navigator.clipboard);
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-share], [data-copy]");
  if (!button) return;
  const url = button.dataset.share || button.dataset.copy;
  if (button.dataset.share && navigator.share) { await navigator.share({ url, title: button.dataset.title }).catch(() => {}); return; }
  await copied(document.getElementById("address"), url).then(() => {
    button.querySelector("span").textContent = button.dataset.done;
  }, () => {});
});
