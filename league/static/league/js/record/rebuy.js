// Records the usual buy-in, or undoes it, without leaving the hand that is being entered.

const table = () => document.getElementById("table-now");

export async function buy(form) {
  const button = form.querySelector("button");
  if (button.disabled) return;
  button.disabled = true;
  try {
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form), signal: AbortSignal.timeout(10000) });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("table-now");
    fresh.querySelector("details").open = table().querySelector("details").open;
    table().replaceWith(document.importNode(fresh, true));
    table().querySelector(".rebuy button")?.focus({ preventScroll: true });
  } catch { button.disabled = false; } // no connection: another tap sends the same key
}
