/** Child process: the yardstick for a clone. Reads a session of VS Code with JSON.parse and writes it with JSON.stringify. */
import { readFileSync, writeFileSync } from "node:fs";
import { peakMb } from "./peak.ts";

const [from, to] = process.argv.slice(2) as [string, string];
const before = process.cpuUsage();
const values = readFileSync(from, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as unknown);
writeFileSync(to, values.map((value) => `${JSON.stringify(value)}\n`).join(""));
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ cpu: (user + system) / 1e6, peakMb: peakMb() }));
