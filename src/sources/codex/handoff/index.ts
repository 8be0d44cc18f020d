/** Takes sessions of other programs as new sessions of Codex CLI: a log in the folder of its day, and a line with its name. */
import { dirname, join } from "node:path";
import { type Draft, entriesOf, type Planned, type Step, sizeOfPieces } from "../../../model/plan.ts";
import { entryAt } from "../../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import type { Handoff, HandoffRequest } from "../../handoff.ts";
import { appendLines } from "../../log/append-lines.ts";
import { namesFile, SOURCE } from "../locate.ts";
import { nameLine, rolloutPath, rolloutRecords } from "../write/rollout.ts";
import { tools } from "./tools.ts";
import { headOf, turnsOf } from "./write.ts";

export const handoff: Handoff = {
  tools,
  carries: {
    thinking: true,
    files: false,
    images: ["image/png", "image/jpeg", "image/gif", "image/webp"],
  },
  stagingDir: (root) => join(root, ".rethread"),
  async draw(fs, conversation, request) {
    const { root, id, now } = request;
    const head = headOf(conversation, request);
    const records = rolloutRecords(head, turnsOf(conversation, request));
    const path = join(root, rolloutPath(head));
    const entries: Planned[] = [newFile(path, records.map(toLine).join(""), now)];
    for (let parent = dirname(path); !(await entryAt(fs, parent)); parent = dirname(parent)) {
      entries.unshift({ kind: "folder", path: parent, mode: 0o700, mtimeMs: now.getTime() });
      if (parent === root) break;
    }
    const log: Step = { does: "place", path: entries[0]?.path ?? path, entries };
    const named = await nameIt(fs, request);
    return {
      session: { source: SOURCE, id, path },
      basis: named.basis,
      // What is placed as a whole has its list of names in it.
      steps:
        log.path === root
          ? [{ ...log, entries: [...entries, ...named.steps.flatMap(entriesOf)] }]
          : [log, ...named.steps],
      losses: [],
    };
  },
};

const toLine = (record: object): string => `${JSON.stringify(record)}\n`;

function newFile(path: string, text: string, now: Date): Planned {
  const pieces = [{ text }];
  return { kind: "file", path, mode: 0o600, mtimeMs: now.getTime(), size: sizeOfPieces(pieces), pieces };
}

/** A list of the names of all sessions, in which the last word counts. */
async function nameIt(
  fs: SessionFs,
  { root, id, now, name }: HandoffRequest,
): Promise<Pick<Draft, "basis" | "steps">> {
  const path = namesFile(root);
  const text = toLine(nameLine(id, name, now.toISOString()));
  const { basis, steps } = await appendLines(fs, path, text, now);
  if (steps.length > 0) return { basis, steps: steps.map((step) => ({ ...step, minor: true })) };
  return { basis, steps: [{ does: "place", path, entries: [newFile(path, text, now)] }] };
}
