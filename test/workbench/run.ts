/** `npm run workbench`: does a real VS Code show what rethread wrote? Says so for each session, and takes pictures. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openWorkbench } from "./browser.ts";
import { startCodeServer } from "./code-server.ts";
import { makeSessions } from "./sessions.ts";

const pictures = resolve(process.argv[2] ?? join(import.meta.dirname, "pictures"));
const root = realpathSync(mkdtempSync(join(tmpdir(), "rethread-workbench-")));
let failures = 0;
try {
  const { sessions, index, expected } = await makeSessions(root);
  const server = await startCodeServer(root);
  try {
    const workbench = await openWorkbench(server, join(root, "browser"));
    try {
      await workbench.put(sessions, index);
      console.log(`VS Code lists: ${(await workbench.list()).join(", ")}`);
      mkdirSync(pictures, { recursive: true });
      for (const { title, texts } of expected) {
        const { missing, complaints } = await workbench.open(title, texts);
        const path = join(pictures, `${title.toLowerCase().replace(/\W+/g, "-")}.png`);
        await workbench.picture(path);
        const faults = [...missing.map((text) => `does not show ${JSON.stringify(text)}`), ...complaints];
        failures += faults.length;
        console.log(`${faults.length === 0 ? "shown " : "BROKEN"}  ${title}  ${path}`);
        for (const fault of faults) console.log(`        VS Code ${fault}`);
      }
    } finally {
      await workbench.close();
    }
  } finally {
    server.close();
  }
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}
if (failures > 0) {
  console.error(`VS Code does not show everything that was written (${failures} faults above).`);
  process.exitCode = 1;
}
