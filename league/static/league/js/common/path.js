// Returns the path of an address on this service, or "" if the address is missing or invalid.
// (`new URL` would throw an error.)
export function pathOf(address) {
  if (!address) return "";
  try { return new URL(address, location.href).pathname; } catch { return ""; }
}
