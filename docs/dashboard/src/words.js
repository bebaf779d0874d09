// Number formats of the page and its charts.

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const SIGNED = new Intl.NumberFormat("en", { maximumFractionDigits: 0, signDisplay: "exceptZero" });
const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 2 });
const PERCENT = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });
const DAY = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });

export const whole = (number) => WHOLE.format(number);
export const signed = (number) => SIGNED.format(number);
/** Formats a whole number, with two digits if space is short. */
export const short = (number) => (Math.abs(number) < 1000 ? WHOLE : SHORT).format(number);
export const percent = (share) => PERCENT.format(share);
export const count = (number, thing) => `${whole(number)} ${thing}${number === 1 ? "" : "s"}`;
export const date = (day) => DAY.format(new Date(day));
