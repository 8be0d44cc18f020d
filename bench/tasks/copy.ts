/** Child process: the yardstick for a write. Copies a file in pieces, safe on the disk. */
import { closeSync, createReadStream, fsyncSync, openSync, writeSync } from "node:fs";
import { peakMb } from "./peak.ts";

const [from, to] = process.argv.slice(2) as [string, string];
const before = process.cpuUsage();
const fd = openSync(to, "w");
for await (const chunk of createReadStream(from, { highWaterMark: 1 << 20 })) writeSync(fd, chunk as Buffer);
fsyncSync(fd);
closeSync(fd);
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ cpu: (user + system) / 1e6, peakMb: peakMb() }));
