// Turns on push notifications for this phone: after a tap, requests the browser's permission and
// sends the subscription with the form.

const form = document.querySelector("form[data-push]");
const show = (name) => { document.querySelector(`[data-push-${name}]`).hidden = false; };
const works = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
const isApple = /iPhone|iPad/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);
const isInstalled = navigator.standalone === true || matchMedia("(display-mode: standalone)").matches;

const manager = async () => {
  await navigator.serviceWorker.register("/service-worker.js", { updateViaCache: "none" });
  return (await navigator.serviceWorker.ready).pushManager;
};

// A subscription that is bound to another key of the service is useless.
async function subscribed() {
  const push = await manager();
  const options = { userVisibleOnly: true, applicationServerKey: form.dataset.push };
  try { return await push.subscribe(options); } catch {
    await (await push.getSubscription())?.unsubscribe();
    return push.subscribe(options);
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await Notification.requestPermission() !== "granted") { show("denied"); return; }
  try {
    const { endpoint, keys } = (await subscribed()).toJSON();
    for (const [name, value] of Object.entries({ endpoint, ...keys })) if (form.elements[name]) form.elements[name].value = value;
    form.submit();
  } catch { show("failed"); }
});

document.querySelector("form[data-push-end]")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const ended = event.target;
  const push = await navigator.serviceWorker?.getRegistration().catch(() => null);
  await (await push?.pushManager?.getSubscription())?.unsubscribe().catch(() => false);
  ended.submit();
});

form.hidden = !works;
if (works && Notification.permission === "denied") show("denied");
if (!works) show(isApple && !isInstalled ? "install" : "without");
