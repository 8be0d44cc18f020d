/** Child process: the yardstick. Reads every log below a root and does nothing but JSON.parse each line. */
import { globSync } from "node:fs";
import { join } from "node:path";
import { eachLine } from "../../src/platform/fs/lines.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { peakMb } from "./peak.ts";

const root = process.argv[2] ?? "";
const paths = globSync("**/*.jsonl", { cwd: root }).map((path) => join(root, path));
const before = process.cpuUsage();
const began = performance.now();
let records = 0;
for (const path of paths) {
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
  JSON.stringify({
    records,
    cpu: (user + system) / 1e6,
    seconds: (performance.now() - began) / 1000,
    peakMb: peakMb(),
  }),
);
