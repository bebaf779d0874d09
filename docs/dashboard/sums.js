// The computations of docs/notebook.ipynb: sums with their uncertainty.

const HOUR = 3_600_000;
const MOST_GAMES = 12;
const FEWEST_HANDS = 5; // per hour; fewer are not significant

/** The net of each player by night; nights are numbered from 1 in order of their start. */
export function nightly(nights) {
  const rows = nights.filter((each) => each.played && !each.reopened);
  const began = new Map(rows.map((each) => [each.night, each.started_at]));
  const order = [...began].sort(([, one], [, other]) => one - other).map(([night]) => night);
  return rows.map(({ night, date, player_name, net }) => ({
    night: order.indexOf(night) + 1,
    date: date.toISOString().slice(0, 10),
    player: player_name,
    net,
  }));
}

/** The dealers' net of their own deals, for the most dealt games, most dealt first. */
export function ownDeals(hands, results) {
  const dealt = new Map();
  for (const { game } of hands) dealt.set(game, (dealt.get(game) ?? 0) + 1);
  const often = [...dealt].sort(([one, n], [other, m]) => m - n || (one < other ? -1 : 1));
  const games = often.slice(0, MOST_GAMES).map(([game]) => game);
  const cells = new Map();
  for (const { game, player, dealer, dealer_name, net } of results) {
    if (player !== dealer || !games.includes(game)) continue;
    const key = `${game} ${dealer}`;
    const cell = cells.get(key) ?? { game, dealer: dealer_name, hands: 0, net: 0 };
    cells.set(key, { ...cell, hands: cell.hands + 1, net: cell.net + Number(net) });
  }
  return { games, cells: [...cells.values()] };
}

/** The share of wrongly paid hands by hour of the night, with Wilson's interval. */
export function hourly(hands, nights) {
  const began = new Map(nights.map((each) => [each.night, each.started_at]));
  const hours = new Map();
  for (const { night, played_at, wrong_payout } of hands) {
    const hour = Math.max(0, Math.floor((played_at - began.get(night)) / HOUR)) + 1;
    const row = hours.get(hour) ?? { hour, hands: 0, wrong_payout: 0 };
    hours.set(hour, { hour, hands: row.hands + 1, wrong_payout: row.wrong_payout + wrong_payout });
  }
  const rows = [...hours.values()].filter((each) => each.hands >= FEWEST_HANDS);
  return rows.map((each) => ({ ...each, ...wilson(each) })).sort((one, other) => one.hour - other.hour);
}

function wilson({ hands, wrong_payout }, z = 1.96) {
  const rate = wrong_payout / hands;
  const whole = 1 + (z * z) / hands;
  const middle = (rate + (z * z) / (2 * hands)) / whole;
  const reach = (z * Math.sqrt((rate * (1 - rate)) / hands + (z * z) / (4 * hands * hands))) / whole;
  return { rate, low: Math.max(0, middle - reach), high: middle + reach };
}
