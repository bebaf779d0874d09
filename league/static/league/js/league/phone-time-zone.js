// Chooses the phone's time zone for a new league.

const field = document.querySelector("[data-zone-of-phone]");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (field && zone && [...field.options].some((option) => option.value === zone) && !field.dataset.chosen) field.value = zone;
