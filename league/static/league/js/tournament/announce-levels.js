// Tones and, if the browser has a voice of its own, words when a level ends and one minute before.
// Browsers play sounds only after a tap: on the button of the tournament, or anywhere on the TV screen.

const KEY = "clock-sound";
const isTv = document.documentElement.classList.contains("wall");
const isOn = () => isTv || localStorage.getItem(KEY) === "on";
let audio = null;

function unlock() {
  if (!isOn()) return;
  audio ??= new AudioContext();
  audio.resume();
}

function play(tones) {
  for (let tone = 0; tone < tones; tone += 1) {
    const [oscillator, volume] = [audio.createOscillator(), audio.createGain()];
    const starts = audio.currentTime + tone * 0.4;
    oscillator.frequency.value = 880;
    volume.gain.value = 0.3;
    oscillator.connect(volume).connect(audio.destination);
    oscillator.start(starts);
    oscillator.stop(starts + 0.25);
  }
}

function speak(words) {
  const { lang } = document.documentElement;
  const voice = window.speechSynthesis?.getVoices()
    .find((each) => each.localService && each.lang.slice(0, 2) === lang.slice(0, 2));
  if (!voice) return;
  const speech = new SpeechSynthesisUtterance(words);
  Object.assign(speech, { voice, lang: voice.lang });
  window.speechSynthesis.speak(speech);
}

export function announce(tones, words) {
  if (!isOn() || !audio) return;
  play(tones);
  setTimeout(speak, tones * 400, words);
}

function showButton() {
  const button = document.querySelector("[data-clock-sound]");
  if (!button || !window.AudioContext) return;
  button.hidden = false;
  button.textContent = isOn() ? button.dataset.off : button.dataset.on;
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-clock-sound]")) {
    localStorage.setItem(KEY, isOn() ? "off" : "on");
    unlock();
    announce(1, "");
    showButton();
  } else unlock();
});
document.addEventListener("redrawn", showButton);
showButton();
