/** Child process: the yardstick for a document. Parses it in one piece. */
import { readFileSync } from "node:fs";
import { peakMb } from "./peak.ts";

const before = process.cpuUsage();
JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ cpu: (user + system) / 1e6, peakMb: peakMb() }));
