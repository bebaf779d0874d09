// Loaded into each Node process that builds the dashboard. Rejects connections beyond this machine and
// writes them to the file that tests/loopback reads.

const { appendFileSync } = require("node:fs");
const net = require("node:net");

const HERE = ["127.0.0.1", "::1", "localhost"];
const connect = net.Socket.prototype.connect;

net.Socket.prototype.connect = function (...given) {
  const { host = "localhost", path } = Array.isArray(given[0]) ? given[0][0] : Object(given[0]);
  if (!path && !HERE.includes(host)) {
    const sentence = `No packet leaves the machine in tests, but node connects to ${host}.`;
    appendFileSync(process.env.LOOPBACK_GUARD_FILE, `${sentence}\n`);
    throw new Error(sentence);
  }
  return connect.apply(this, given);
};
