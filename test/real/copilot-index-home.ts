/** A home full of sessions for the real Copilot CLI to index, and its own reindex. */
import { cpSync, globSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createDemo } from "../../src/demo/create.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import type { Copilot } from "./copilot.ts";
import { BESIDE, BESIDE_SESSION, CORNER_LOGS } from "./copilot-index-corners.ts";
import { REFS_SESSION, refLog } from "./copilot-refs.ts";

/** The demo's sessions, every miniature home of the tests, and logs at the edges of what counts. */
export async function fillHome(copilot: Copilot, scratch: string, now: Date): Promise<void> {
  mkdirSync(scratch, { recursive: true });
  const { vars } = await createDemo({ fs: localFs, sources: SOURCES, home: scratch, now });
  const fixtures = globSync("../fixtures/copilot-cli/*/home", { cwd: import.meta.dirname });
  const homes = [vars.COPILOT_HOME ?? "", ...fixtures.map((home) => resolve(import.meta.dirname, home))];
  for (const home of homes)
    cpSync(join(home, "session-state"), join(copilot.home, "session-state"), { recursive: true });
  copilot.write(REFS_SESSION, refLog());
  for (const [id, log] of CORNER_LOGS) copilot.write(id, log);
  for (const [name, text] of Object.entries(BESIDE)) {
    const path = join(copilot.home, "session-state", BESIDE_SESSION, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  writeFileSync(
    join(copilot.home, "session-state", REFS_SESSION, "workspace.yaml"),
    `id: ${REFS_SESSION}\ncwd: /srv/shop\nname: References\n`,
  );
}

const CALLER = "ffffffff-0000-4000-8000-000000000000";

/** What `/chronicle reindex` does, without a terminal; gives back what the program says. */
export async function reindex(
  copilot: Copilot,
  around: (work: () => Promise<void>) => Promise<void> = (work) => work(),
): Promise<string> {
  const headless = await copilot.headless();
  await headless.create(CALLER);
  let said = "";
  await around(async () => {
    const command = { sessionId: CALLER, name: "chronicle", input: "reindex" };
    said = (await headless.call("session.commands.invoke", command)).text;
  });
  await headless.close();
  return said;
}

/** The program's own store appears with its first session. */
export const storeOf = (copilot: Copilot): string => join(copilot.home, "session-store.db");
