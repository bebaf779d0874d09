// The data of the charts, summed up from the feeds. The built page contains neither the key nor rows
// of hands.

import { decompress } from "fzstd";
import { asyncBufferFromUrl, parquetReadObjects } from "hyparquet";
import { hourly, nightly, ownDeals } from "../sums.js";

const { LEAGUE_SERVER, LEAGUE_ID, LEAGUE_KEY } = process.env;
if (!LEAGUE_SERVER || !LEAGUE_ID || !LEAGUE_KEY) {
  throw new Error("Say which league: LEAGUE_SERVER, LEAGUE_ID and LEAGUE_KEY (of a feed link).");
}
const LEAGUE = `${LEAGUE_SERVER}/api/v1/leagues/${LEAGUE_ID}`;
const KEY = `key=${encodeURIComponent(LEAGUE_KEY)}`;
const ZSTD = (bytes, length) => decompress(bytes, new Uint8Array(length));

async function feed(name, columns) {
  try {
    const file = await asyncBufferFromUrl({ url: `${LEAGUE}/feeds/${name}.parquet?${KEY}` });
    return await parquetReadObjects({ file, columns, compressors: { ZSTD } });
  } catch (error) {
    throw new Error(`${LEAGUE}/feeds/${name}.parquet: ${error.message}`);
  }
}

async function stats(...lists) {
  const answer = await fetch(`${LEAGUE}/stats?fields=${lists.join()}&${KEY}`);
  if (!answer.ok) throw new Error(`The league's figures: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const [allHands, allResults, allNights, { players, luck }] = await Promise.all([
  feed("hands", ["hand", "night", "game", "played_at", "season_name", "voided", "wrong_payout"]),
  feed("results", ["game", "player", "dealer", "dealer_name", "net", "voided"]),
  feed("nights", ["night", "date", "started_at", "player_name", "played", "reopened", "net"]),
  stats("players", "luck"),
]);
const hands = allHands.filter((each) => !each.voided);
const results = allResults.filter((each) => !each.voided);
const nets = new Map(players.map((each) => [each.player, each.net]));

const told = {
  seasons: [...new Set(hands.map((each) => each.season_name))],
  hands: hands.length,
  nights: new Set(hands.map((each) => each.night)).size,
  games: new Set(hands.map((each) => each.game)).size,
  players: new Set(results.map((each) => each.player)).size,
  wrong_payout: hands.filter((each) => each.wrong_payout).length,
  net: nightly(allNights),
  matrix: ownDeals(hands, results),
  luck: luck.map(({ player, player_name, luck, margin }) => ({ name: player_name, luck, margin, net: nets.get(player) })),
  hours: hourly(hands, allNights),
};
if (!told.net.length) throw new Error("No night of this league is closed yet: there is nothing to draw.");

// Parquet has 64-bit integers, which JSON lacks.
process.stdout.write(JSON.stringify(told, (_, each) => (typeof each === "bigint" ? Number(each) : each)));
