// Generates the key of a form on the phone, so that a hand that is sent twice is recorded once.

// `randomUUID` requires HTTPS, but phones on a home network use plain HTTP.
export function uuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

export function renew(which = "") {
  document.querySelectorAll(`input[data-key]${which}`).forEach((input) => { input.value = uuid(); });
}
