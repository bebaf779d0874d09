// Chooses the phone's time zone for a new league, and the currency of that time zone. Suggests the
// value of a chip for the currency until another one is typed.

const currencies = document.querySelector("[data-chip]");
const usual = () => currencies.selectedOptions[0].dataset.chip ?? currencies.dataset.chip;
let suggested = usual();
const suggest = () => {
  const { chip } = currencies.form.elements;
  if (chip.value === suggested) chip.value = usual();
  suggested = usual();
};
currencies.addEventListener("change", suggest);

const field = document.querySelector("[data-zone-of-phone]");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const option = field && [...field.options].find(({ value, dataset }) =>
  [value, ...(dataset.aliases ?? "").split(" ")].includes(zone));
if (option) {
  field.value = option.value;
  const { currency } = field.form.elements;
  if ([...currency.options].some(({ value }) => value === option.dataset.currency)) currency.value = option.dataset.currency;
  suggest();
}
