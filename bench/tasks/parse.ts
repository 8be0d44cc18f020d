/** Child process: the yardstick. Reads the same lines and does nothing but JSON.parse each. */

import { eachLine } from "../../src/platform/lines.ts";
import { localFs } from "../../src/platform/local-fs.ts";

const before = process.cpuUsage();
let records = 0;
for (const path of process.argv.slice(2)) {
  await eachLine(
    localFs,
    path,
    (line) => {
      JSON.parse(line.bytes.toString("utf8"));
      records++;
    },
    { maxLine: Number.POSITIVE_INFINITY },
  );
}
const { user, system } = process.cpuUsage(before);
console.log(
  JSON.stringify({ records, cpu: (user + system) / 1e6, peakMb: process.resourceUsage().maxRSS / 1024 }),
);
