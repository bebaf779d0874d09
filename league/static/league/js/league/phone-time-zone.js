// Chooses the phone's time zone for a new league, and the currency of that time zone.

const field = document.querySelector("[data-zone-of-phone]");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const option = field && [...field.options].find(({ value, dataset }) =>
  [value, ...(dataset.aliases ?? "").split(" ")].includes(zone));
if (option) {
  field.value = option.value;
  const { currency } = field.form.elements;
  if ([...currency.options].some(({ value }) => value === option.dataset.currency)) currency.value = option.dataset.currency;
}
