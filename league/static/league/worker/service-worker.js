// Serves pages without a connection. Online, pages come from the network. The cache is used only if
// the network fails.
//
// There are two caches. The first contains the files that pages use, and is replaced with each
// version of the service. The second contains the pages that one user has seen, and is deleted when
// a page is drawn for another user. `SERVED` ({version, shell, index, offline}) is prepended to this
// file.

const FILES = `files ${SERVED.version}`;
const PAGES = `pages ${SERVED.version}`;
const WHOSE = "/drawn-for";
const MOST = 40; // pages
const PATIENCE = 7000; // milliseconds; after this time, a cached page is better than none
// Sign-in pages, pages with credentials, and pages that are useless without a connection.
const NOT_KEPT = /^\/(sign-|account\/|join|receipts\/|screens\/|api\/|leagues\/[^/]+\/passwords)/;
const AWAY = new Set([502, 503, 504]);
const RECENT = 60000; // milliseconds for which a prefetched page is not requested again
const HASHED = /\.[0-9a-f]{12}\.\w+$/;

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("message", (event) => {
  if (event.data?.keep) event.waitUntil(Promise.all(event.data.keep.map(fetchAndKeep)));
});
addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method !== "GET") {
    if (url.pathname === "/sign-out") event.waitUntil(caches.delete(PAGES));
  } else if (request.mode === "navigate") event.respondWith(page(event, url));
  else if (url.pathname.startsWith("/static/") || url.pathname === SERVED.index) event.respondWith(file(event));
});

addEventListener("push", (event) => event.waitUntil(notify(event.data)));
addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event.newSubscription)));
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.link));
});

async function install() {
  const files = await caches.open(FILES);
  await files.addAll([...SERVED.shell, SERVED.index, SERVED.offline]);
  await skipWaiting();
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== FILES && name !== PAGES).map((name) => caches.delete(name)));
  await clients.claim();
}

// A file with a hash in its name never changes. Other files may change.
async function file(event) {
  const kept = await caches.match(event.request);
  if (kept && HASHED.test(new URL(event.request.url).pathname)) return kept;
  try {
    const answer = await fetch(event.request);
    if (answer.ok) event.waitUntil(store(FILES, event.request, answer.clone()));
    return answer;
  } catch (lost) {
    if (kept) return kept;
    throw lost;
  }
}

async function page(event, url) {
  const fresh = fromNetwork(event, url);
  const pages = await caches.open(PAGES);
  const kept = (await pages.match(keyOf(url))) ?? (await pages.match(url.pathname));
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  try {
    const answer = await (kept ? Promise.race([fresh, late]) : fresh);
    if (answer) return answer;
  } catch { /* no network: the cached page */ }
  fresh.catch(() => null);
  return kept ? dated(kept) : (await caches.match(SERVED.offline)) ?? Response.error();
}

// A game's page has the navigation of the league that it is opened from.
function keyOf(url) {
  const league = url.searchParams.get("league");
  return league ? `${url.pathname}?${new URLSearchParams({ league })}` : url.pathname;
}

// If a proxy responds because the service is not running, there is no connection to the service.
async function fromNetwork(event, url) {
  const answer = await fetch(event.request);
  if (AWAY.has(answer.status)) throw new Error("nobody there");
  event.waitUntil(keep(url, answer.clone()));
  return answer;
}

// Other pages must not be requested twice: each request for a two-factor key replaces the key.
async function fetchAndKeep(path) {
  if (NOT_KEPT.test(path)) return;
  const kept = await (await caches.open(PAGES)).match(path);
  if (Date.now() - Number(kept?.headers.get("Kept-At") ?? 0) < RECENT) return;
  try { await keep(new URL(path, location.origin), await fetch(path, { headers: { "Kept-Ahead": "1" } })); } catch { /* another time */ }
}

// Delete the pages of another user first, regardless of sign-ins in between.
async function keep(url, answer) {
  const whose = answer.headers.get("Drawn-For");
  if (!whose) return;
  const mark = await (await caches.open(PAGES)).match(WHOSE);
  if (mark && (await mark.text()) !== whose) await caches.delete(PAGES);
  // a record page for another game than the match's would hide the match's next deal
  const excluded = answer.headers.has("Not-Kept") || NOT_KEPT.test(url.pathname) || url.searchParams.has("other");
  if (whose === "nobody" || answer.redirected || !answer.ok || excluded) return;
  const pages = await caches.open(PAGES);
  await pages.put(WHOSE, new Response(whose));
  await pages.delete(keyOf(url));
  await pages.put(keyOf(url), await stamped(answer));
  const [, ...old] = await pages.keys();
  await Promise.all(old.slice(0, -MOST).map((each) => pages.delete(each)));
}

// Browsers require a visible notification. A repeated notification has the same tag and replaces
// the first one silently.
async function notify(data) {
  let message = {};
  try { message = data.json(); } catch { /* unreadable: only the title */ }
  const { title = "Dealer's Choice", body = "", link = "/", tag = "" } = message;
  await registration.showNotification(title, { body, tag, data: { link }, icon: SERVED.icon, badge: SERVED.icon });
}

// If the browser only reports the end of the old subscription, a new one is requested.
async function renew(subscription) {
  const { key } = await (await fetch(SERVED.renewal)).json();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const { endpoint, keys } = (subscription ?? await registration.pushManager.subscribe(options)).toJSON();
  return fetch(SERVED.renewal, { method: "POST", body: new URLSearchParams({ endpoint, ...keys }) });
}

// Returns the target of a notification: a page of this service, or the home page.
function address(link) {
  const home = new URL("/", location.origin);
  try {
    const url = new URL(link ?? "/", location.origin);
    return url.origin === location.origin ? url : home;
  } catch { return home; }
}

// Opens the window that already shows the page, or a new window, so that an unfinished hand in
// another window is kept.
async function open(link) {
  const there = address(link);
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find((each) => new URL(each.url).pathname === there.pathname);
  if (!shown) return clients.openWindow(there.href);
  const seen = await shown.focus();
  // Navigates to the anchor. A window that this worker does not control stays unchanged.
  return there.hash ? seen.navigate(there.href).catch(() => seen) : seen;
}

const store = async (name, request, answer) => (await caches.open(name)).put(request, answer);

async function stamped(answer) {
  const headers = new Headers(answer.headers);
  headers.set("Kept-At", String(Date.now()));
  return new Response(await answer.blob(), { headers });
}

// A cached page is marked, because a page can't detect that it is cached.
async function dated(kept) {
  const text = await kept.text();
  return new Response(text.replace("<html", `<html data-kept="${kept.headers.get("Kept-At")}"`), { headers: kept.headers });
}
