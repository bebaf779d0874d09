// Returns the path of an address on this service, or "": a form or a link may lack one, and `new URL` throws.
export function pathOf(address) {
  if (!address) return "";
  try { return new URL(address, location.href).pathname; } catch { return ""; }
}
