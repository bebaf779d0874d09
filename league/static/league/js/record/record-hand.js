// The page that records a hand. The form works without scripts. The script makes it quick to use on
// a phone.

import { fromPhone, fromServer, isLoading, requestForm, showLoaded, showLoading, showUnloaded } from "./load-game-form.js";
import { cancelVerdict, recall, remember, requestVerdict, showPending, showProblems, valuesOf } from "./verdict.js";
import { forget, isAside, keep, layAside, outboxId, putAside, storedDraft, takeUp } from "./hand-draft.js";
import { renew } from "../common/idempotency-keys.js";
import { find, list, token } from "../offline/outbox.js";
import { drawDealer, drawSeat, drawSettledPot, drawStakes, fillAllIn, follow, giveDeal, isIn, offerStates, passDeal, showDown, sitOut, tapShowed, toggleSitsOut } from "./players-and-pot.js";
import { acceptLine, drawLine, isHalfRead, isUnread, readLine, showHalfRead } from "./hand-in-one-line.js";
import { closeSheet, isCovered, isSheetOpen } from "../controls/bottom-sheet.js";
import { drawShape, drawZone, hand, most, seen, slotsOf, zoneOf, zones } from "../controls/cards.js";

const record = () => document.getElementById("record");
const finger = matchMedia("(pointer: coarse)");

function drawAll() {
  zones().forEach(drawZone);
  passDeal(record());
  record().querySelectorAll(".seat").forEach(drawSeat);
  record().querySelectorAll("input[data-chips]").forEach((input) => { input.inputMode = finger.matches ? "none" : "numeric"; });
  drawDealer(record());
  openRuns();
  drawShape();
  drawStakes();
  drawLine(record());
  showProblems();
  drawSettledPot(record());
  document.getElementById("aside")?.toggleAttribute("hidden", !isAside(record()));
  document.dispatchEvent(new CustomEvent("drawn"));
}

// A player is all in, or the deal was run twice.
function openRuns() {
  const isMeant = record().querySelector(".seat[data-state=all-in], [name=runs]:checked:not([value=''])");
  if (isMeant) record().querySelector(".run-count details")?.setAttribute("open", "");
}

// The contents of the sheet, and what the next hand needs without a connection, are loaded after
// the page, or at the first touch.
const sheets = () => Promise.all([import("../controls/card-keypad.js"), import("../controls/chip-keypad.js"), import("./amount-shortcuts.js"), search(), stars(), sending(), numbering(), focus(), problems(), showing()]);
const focus = () => import("./keep-focus.js");
const problems = () => import("./go-to-problem.js");
const showing = () => import("./who-showed.js");
const stars = () => import("../games/favourites.js");
const sending = () => import("./save-hand.js");
const numbering = () => import("./next-number-and-dealer.js");
const search = () => import("./game-picker.js");
addEventListener("load", () => setTimeout(sheets, 800));
for (const touch of ["pointerdown", "focusin"]) document.addEventListener(touch, sheets, { once: true });

async function openSlot(slot, byKeys) {
  const typed = holdKeys();
  const [deck] = await sheets();
  deck.open(zoneOf(slot), slotsOf(zoneOf(slot)).indexOf(slot));
  if (byKeys) deck.enter();
  typed();
}

// Keys pressed before the deck is loaded are replayed.
function holdKeys() {
  const early = [];
  const keep = (event) => { if (event.key.length === 1) early.push(event.key); };
  document.addEventListener("keydown", keep);
  return () => {
    document.removeEventListener("keydown", keep);
    early.forEach((key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })));
  };
}

// After the common payment, and after that of the last player who is in, the cards are next if more
// than one player is left.
async function openKeypad(chips, isFree = () => true) {
  const [deck, keypad, recent] = await sheets();
  if (!isFree()) return;
  recent.offer();
  keypad.lead((field) => (leadsToCards(field) ? deck.begin : null));
  keypad.open(chips);
}

function leadsToCards(field) {
  const left = [...record().querySelectorAll(".seat")].filter(isIn);
  if (left.length < 2 || !zones().some(seen)) return false;
  const isLast = left.at(-1).contains(field) && zones().some((zone) => seen(zone) && zone.dataset.group === "hand" && hand(zone).length < most(zone));
  return isLast || ["all_paid", "showed_paid"].includes(field.id);
}

// If the table's payouts are the result, the cards do not decide anything.
function acceptTable(event) {
  event.preventDefault();
  record().querySelector("[name=depth][value=result]").click();
}

// All other players folded, so only the pot has to be entered, except in a match, which carries it.
async function foldOthers(button) {
  const { leaveAlone } = await showing();
  leaveAlone(button.dataset.left);
  const { all_paid: amount, match } = record().elements;
  if (!amount.value && !match?.value) openKeypad(amount);
}

// Once enough players sit out, the common payment follows.
function sitsOut(button) {
  sitOut(record(), button.dataset.away);
  askStake();
}

const LEADS = "#record :is([data-to], [data-problem], [data-all-in])";
const ABOVE = "#record .picker :is([data-clear], [data-suggest], [data-shake])";
document.addEventListener("click", (event) => {
  const inForm = event.target.closest("#record");
  const tapped = (selector) => inForm && event.target.closest(selector);
  const slot = tapped(".slot");
  const state = tapped("[data-states]");
  const chips = tapped("input[data-chips]");
  const left = tapped("[data-left]");
  if (slot) openSlot(slot, event.detail === 0);
  else if (state) offerStates(state);
  else if (tapped("[data-sits-out]")) toggleSitsOut(tapped("[data-sits-out]"));
  else if (chips) openKeypad(chips);
  else if (left) foldOthers(left);
  else if (tapped("[data-all-showed]")) showing().then(({ toggleAll }) => toggleAll());
  else if (tapped("[data-deals]")) giveDeal(record(), tapped("[data-deals]").dataset.deals);
  else if (tapped("[data-away]")) sitsOut(tapped("[data-away]"));
  else if (tapped("[data-as-paid]")) acceptTable(event);
  else if (tapped("[data-paid-before]")) problems().then(({ payAsBefore }) => payAsBefore(record(), tapped("[data-paid-before]")));
  else if (tapped("[data-never-seen]")) problems().then(({ fillUnseen }) => fillUnseen(record(), tapped("[data-never-seen]")));
  else if (event.target.closest(ABOVE)) search().then(({ press }) => press(event.target.closest(ABOVE)));
  else if (tapped(".proposal")) search().then(({ pick }) => pick(tapped(".proposal").value));
  else if (tapped("[data-star]")) stars().then(({ toggle }) => toggle(tapped("[data-star]")));
  else if (tapped("[data-afresh]")) { forget(record()); location.reload(); }
  else if (tapped("[data-load]")) load();
  else if (event.target.closest("[data-next-hand]")) moveOn();
  else if (tapped("[data-half-read]")) acceptLine(record());
  else if (tapped("[data-resume]")) resumeDraft();
  else if (tapped("[data-discard]")) { takeUp(record()); drawAll(); }
  else if (event.target.closest(LEADS)) toProblemField(event);
});

// The text of a hand fills the form. It never saves the hand.
const fillFromLine = () => readLine(record(), () => redraw("sentence", { fill: "sentence" }));
for (const change of ["online", "offline"]) addEventListener(change, () => drawLine(record()));

document.addEventListener("focusin", (event) => {
  if (event.target.id === "sentence") closeSheet();
  if (isSheetOpen() && event.target.matches("#record input[data-chips]")) openKeypad(event.target);
});

document.addEventListener("input", (event) => {
  const input = event.target;
  if (input.matches("[data-search]")) { event.stopPropagation(); search().then(({ filter }) => filter()); }
  else if (input.matches("[data-chip]")) { event.stopPropagation(); search().then(({ tapped }) => tapped(input)); }
  else if (input.dataset.extra) input.closest(".seat").querySelectorAll("input[data-zone]").forEach(drawZone);
  else if (input.matches("[data-zone]")) drawZone(input);
  else if (input.matches("[name=showed], [name=late]")) {
    if (event.isTrusted && input.name === "showed") tapShowed(record(), input);
    showDown(record());
  }
  else if (input.matches("[data-state-of]")) { follow(record(), input); fillAllIn(input.closest(".seat")); passDeal(record()); }
  if (input.matches("[name=button], [name=showed], [name=late], [data-state-of]")) { record().querySelectorAll(".seat").forEach(drawSeat); drawDealer(record()); openRuns(); }
  if (input.matches("[name=winner], .took input")) clearOtherResult(input);
  if (input.matches("[data-chips], [name=carried], [name=showed], [data-state-of]")) drawStakes();
}, true);

// Either one winner took everything, or several players took a part. The last entry counts.
function clearOtherResult({ name, value }) {
  if (name === "winner") record().querySelectorAll(".took input").forEach((each) => { each.value = ""; });
  else if (value) record().querySelectorAll("[name=winner]").forEach((each) => { each.checked = false; });
}

// The Enter key in a field does not save the hand or leave the page.
document.addEventListener("keydown", (event) => {
  if (["Enter", "ArrowDown"].includes(event.key) && event.target.matches?.("[data-search]")) search().then(({ reach }) => reach(event.key));
  else if (event.key !== "Enter" || !event.target.matches("#record input")) return;
  event.preventDefault();
  if (event.target.id === "sentence") event.target.blur();
  if (event.target.matches("[type=radio]:not([name=variant]), [type=checkbox]")) event.target.click();
});

// Moves from the verdict to the field to correct.
async function toProblemField(event) {
  event.preventDefault();
  const { toProblem } = await problems();
  toProblem(record(), event.target.closest(LEADS).dataset);
}

// Typed values stay on the phone until they are saved.
document.addEventListener("input", (event) => {
  if (event.target.form === record()) keep(record());
});
document.addEventListener("change", (event) => {
  if (event.target.form === record()) keep(record());
});

document.addEventListener("submit", (event) => {
  if (event.target !== record() || event.submitter?.hasAttribute("formaction")) return;
  event.preventDefault();
  if (isUnread(record())) return; // leaving the field has started to fill the form
  closeSheet();
  if (isHalfRead(record())) { showHalfRead(record()); return; }
  if (isOfOtherGame()) { load(); return; }
  cancelVerdict();
  sending().then(({ send }) => send(record(), showRefused, next));
});

// Buying chips does not change the hand that is being entered.
document.addEventListener("submit", async (event) => {
  if (!event.target.matches("#table-now .rebuy")) return;
  event.preventDefault();
  await (await import("./rebuy.js")).buy(event.target);
  catchUp(); // the table is drawn again
  requestVerdict(verdictArrived);
});

async function showRefused(form) {
  draw(form);
  (await problems()).toFirstProblem(form);
}

function draw(form, up = true) {
  if (form !== record()) record().replaceWith(form);
  drawAll();
  keep(form);
  if (up) form.scrollIntoView();
}

// The hand waits on this phone. After a new hand, the next one is entered on the same page. A page
// that changed a waiting hand hides this hand, so it is opened again without it.
async function next(form) {
  forget(form);
  if (outboxId) { location.assign(location.pathname); return; }
  if (!form.dataset.again) await drawNext(form);
  document.getElementById("waiting").scrollIntoView({ block: "center" });
}

async function drawNext(form) {
  const { forgetSearch } = await search();
  history.replaceState(null, "", location.pathname);
  const [{ afresh }, { catchUp: catchUpForm }] = await Promise.all([import("../offline/draw-game-form.js"), numbering()]);
  const fresh = await afresh(form);
  catchUpForm(fresh, await list());
  draw(fresh);
  forgetSearch();
  forget(record());
}

// The server draws the form with the typed values; without a connection, the phone draws it.
async function restore(fields, whole = "") {
  const values = new FormData();
  fields.forEach(([name, text]) => values.append(name, text));
  values.set("csrfmiddlewaretoken", token());
  showLoading(record(), Object.fromEntries(fields).variant);
  const drawn = await fromServer(values, whole);
  const form = drawn ?? (await fromPhone([...values]));
  isDraftUnread = !form;
  if (isDraftUnread) { putAside(record(), fields); showUnloaded(record()); drawAll(); return; }
  draw(form, false);
  showLoaded(record());
  document.getElementById("kept").hidden = false;
  scrollTo(0, 0); // to the notice, with the number of the hand above it
  if (drawn) { remember(valuesOf(drawn), drawn); return; }
  recall(record());
  showDraftVerdict();
}

// The form on the page is still that of the previous game, so the hand can't be saved.
function isOfOtherGame() {
  const chosen = record().querySelector("[name=variant]:checked");
  return Boolean(chosen) && chosen.value !== record().elements.drawn.value;
}

// Requests the form that did not load: that of the choices on the page, or that of the draft, which
// is set aside.
let isDraftUnread = false;
function load() {
  if (isLoading(record())) return;
  if (isDraftUnread) resumeDraft(); else redraw("variant", {}, true);
}

// The current values are also set aside.
function resumeDraft() {
  const draft = takeUp(record());
  layAside(record());
  forgetRequestedGame();
  restore(draft);
}

// A game in the address replaces the game in the draft, and so does the next deal of a match.
function isForOtherGame(draft) {
  const { deal, match } = record().elements;
  const [of] = [deal, match].filter((field) => field?.value);
  if (draft && of) return !draft.some(([name, text]) => name === of.name && text === of.value);
  const asked = !record().dataset.again && new URLSearchParams(location.search).get("game");
  return draft && asked && draft.every(([name, text]) => name !== "variant" || text !== asked);
}

function forgetRequestedGame() {
  const asked = new URLSearchParams(location.search);
  asked.delete("game");
  history.replaceState(null, "", location.pathname + (asked.size ? `?${asked}` : ""));
}

// A page from the cache was drawn without the game in the address.
function chooseRequestedGame() {
  const asked = document.documentElement.dataset.kept && !record().dataset.again && new URLSearchParams(location.search).get("game");
  const choice = asked && record().querySelector(`[name=variant][value="${CSS.escape(asked)}"]`);
  if (choice) choice.checked = true;
}

// A page from the cache may be the next deal of a match although another game was requested.
async function leaveMatch() {
  const isOther = document.documentElement.dataset.kept && new URLSearchParams(location.search).has("other");
  if (!isOther || !record().elements.match?.value) return;
  const ofDeal = /^(variant|modifiers|players\/\d+\/(state|paid))$/;
  const form = await fromPhone([...new FormData(record())].filter(([name]) => !ofDeal.test(name)));
  if (form) { draw(form, false); forget(form); }
}

// If a form or a verdict gets no response, the phone continues alone.
async function redraw(by, more = {}, isChosen = false) {
  const from = record();
  const sent = new FormData(from);
  cancelVerdict();
  showLoading(from);
  const [form, where] = await Promise.all([requestForm(by, more), focus()]);
  if (form === undefined) return true;
  if (form) remember(valuesOf(form), form);
  const drawn = form ?? (by === "sentence" ? null : await fromPhone());
  if (record() !== from) return Boolean(drawn); // another hand was started in the meantime
  if (!drawn) {
    isDraftUnread = false;
    if (by === "sentence") { showLoaded(from); requestVerdict(verdictArrived); } else showUnloaded(from);
    return false;
  }
  where.hold();
  const asked = isSheetOpen() && !isChosen;
  closeSheet();
  cancelVerdict(); // the form contains a newer verdict
  if (form) keepTyped(from, sent, form);
  draw(drawn, false);
  where.giveBack();
  if (!form) { showDraftVerdict(); requestVerdict(verdictArrived); }
  if (isChosen || asked) askStake();
  return true;
}

// Values typed since the form was requested replace those in the response.
function keepTyped(from, sent, form) {
  for (const { name, value, type } of from.elements) {
    if (type !== "text" || value === sent.get(name) || !form.elements[name]) continue;
    form.elements[name].value = value;
    requestVerdict(verdictArrived);
  }
}

// A page that was opened for a game continues with the common payment, as after choosing the game.
const isOpenedForGame = new URLSearchParams(location.search).has("game");

// A card or a payment that the user opens before the sheet is loaded stays open.
async function openFirstStake() {
  await sheets();
  if (!isSheetOpen()) askStake(() => !isSheetOpen());
}

// On a phone, the common payment follows the choice of a game, unless too many players are seated.
function askStake(isFree) {
  const { all_paid: amount } = record().elements;
  const tooMany = record().querySelector("[data-too-many]");
  if (tooMany?.checkVisibility()) { tooMany.scrollIntoView({ block: "center" }); return; }
  if (finger.matches && !amount.value && amount.checkVisibility()) openKeypad(amount, isFree);
}

// The cards of the further runs are next.
async function dealAgain(runs) {
  const [[deck]] = await Promise.all([sheets(), redraw("runs")]);
  if (runs) deck.begin();
}

const showDraftVerdict = () => showPending(record());
addEventListener("offline", () => { if (document.querySelector("#verdict .who-won")) showDraftVerdict(); });
addEventListener("online", () => requestVerdict(verdictArrived));

// Scrolls to the verdict once all cards are entered.
let isAwaited = false;
document.addEventListener("laid", () => {
  isAwaited = true;
  requestVerdict(verdictArrived);
});

function verdictArrived(came) {
  if (came) { showProblems(); drawSettledPot(record()); } else showDraftVerdict();
  if (isAwaited && !isCovered()) document.getElementById("verdict").scrollIntoView();
  isAwaited = false;
}

document.addEventListener("input", (event) => { if (event.target.form === record() && event.target.id !== "sentence" && !isLoading(record())) requestVerdict(verdictArrived); });
document.addEventListener("change", (event) => {
  if (event.target.id === "sentence") fillFromLine();
  if (!event.target.closest("#record :is(.game-parts, .run-count)")) return;
  if (event.target.name === "variant") forgetRequestedGame();
  if (event.target.name === "runs") dealAgain(event.target.value);
  else redraw(event.target.name, {}, event.target.name === "variant" && (event.isTrusted || isOpenedForGame));
});
document.addEventListener("click", (event) => {
  if (!event.target.closest("#record [name=fill]")) return;
  event.preventDefault();
  redraw("fill", { fill: "1" });
});

// A search does not change the game.
document.addEventListener("change", (event) => { if (event.target.matches("[data-search], [data-chip]")) event.stopPropagation(); }, true);

// When the user returns to a page whose hand was saved or never started, the next hand gets a new
// page.
addEventListener("pageshow", (event) => { if (event.persisted && !storedDraft(record())) location.reload(); });

async function catchUp() {
  const [{ catchUp: catchUpForm }, waiting] = await Promise.all([numbering(), list()]);
  if (catchUpForm(record(), waiting)) drawAll();
}

// For "Save mine as the next hand": all hands saved by other phones count as seen.
async function moveOn() {
  const [{ moveOn: move }, waiting] = await Promise.all([numbering(), list()]);
  move(record(), waiting);
  drawAll();
  requestVerdict(verdictArrived);
  document.dispatchEvent(new CustomEvent("refresh-wanted"));
}
const isBehind = async () => document.documentElement.dataset.kept || (await list()).length > 0;
document.addEventListener("redrawn", catchUp);
document.addEventListener("outbox", catchUp);
// A correction that waited on this phone is saved: this form's next one replaces it.
document.addEventListener("hand-saved", ({ detail: { entry, answer } }) => {
  const { revision } = record().elements;
  if (!revision || entry.to !== record().getAttribute("action")) return;
  renew("[name=key]");
  revision.value = answer.revision;
});

// Entries from other phones for the open deal fill empty fields.
async function takeFromOthers() {
  if (document.querySelector("#table-now [data-reported], #table-now [data-deal]")) (await import("./fill-from-other-phones.js")).take(record());
}
document.addEventListener("redrawn", takeFromOthers);

// Values typed before the scripts were loaded are kept. A game that was tapped before waits for its
// form.
const isEarly = (field) => field.matches("input[type=text], textarea") && field.value !== field.defaultValue;
document.addEventListener("DOMContentLoaded", async () => {
  if (record().dataset.keep !== undefined) {
    keep(record());
    history.replaceState(null, "", location.pathname);
  }
  if (isForOtherGame(storedDraft(record()))) { layAside(record()); drawAll(); }
  const draft = record().dataset.keep === undefined && storedDraft(record());
  if (draft) {
    await restore(draft);
    await catchUp();
    takeFromOthers();
    document.dispatchEvent(new CustomEvent("refresh-wanted")); // other phones may have saved hands since
    return;
  }
  const back = outboxId && await find(outboxId);
  if (back) {
    const [, game] = back.fields.find(([name]) => name === "variant") ?? ["", ""];
    await restore([...back.fields, ["drawn", game], ["key", back.id], ["number", back.number ?? ""]], "?whole");
    catchUp();
    return;
  }
  if (await isBehind()) await catchUp();
  await leaveMatch();
  takeFromOthers();
  if ([...record().elements].some(isEarly)) keep(record());
  chooseRequestedGame();
  const other = isOfOtherGame() ? record().querySelector("[name=variant]:checked") : record().querySelector("[name=depth]:checked:not([checked])");
  if (other) other.dispatchEvent(new Event("change", { bubbles: true }));
  else if (isOpenedForGame) openFirstStake();
  const box = document.querySelector("[data-search]");
  if (box?.value) search().then(({ filter, reach }) => (box.dataset.entered ? reach(box.dataset.entered) : filter()));
});

renew();
drawAll();
// Handles a tap that was made before the scripts were loaded.
if (document.activeElement?.matches("#record input[data-chips]")) openKeypad(document.activeElement);
