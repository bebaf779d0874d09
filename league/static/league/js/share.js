// A link goes by the share sheet of the phone, or to the clipboard; where neither works it is marked to be copied by hand.
// One listener for the page: buttons that come later, as the page moves on, are heard as well.

const copied = async (address, text) => {
  address?.select();
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
