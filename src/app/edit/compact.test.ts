import { expect, it } from "vitest";
import { localFs } from "../../platform/fs/local.ts";
import type { Editor, SummaryEditor } from "../../sources/editor.ts";
import type { CompactRequest } from "../../sources/requests.ts";
import { drawCheckpoint, drawCompaction } from "./compact.ts";

const now = new Date("2026-11-15T12:00:00.000Z");
const around = { vars: {}, folder: "/nowhere" };
const artifact = {
  source: "vscode",
  id: "one",
  root: "/r",
  path: "/r/one",
  fingerprint: { size: 1, mtimeMs: 0, ino: 1 },
};
const taskFor = (editor: Partial<Editor>) => ({ editor: editor as Editor, fs: localFs, artifact, now });

it("says so where a source cannot do it", () => {
  for (const draw of [drawCompaction, drawCheckpoint])
    expect(() => draw(taskFor({}), {}, around)).toThrow(
      expect.objectContaining({
        code: "not-supported",
        hint: "See what its model would receive: rethread context vscode:one",
      }),
    );
});

it("keeps three turns unless told otherwise, and all of them in the log when a summary is appended", async () => {
  const asked: CompactRequest[] = [];
  const draft = { session: artifact, basis: [], steps: [], losses: [] };
  const compact: SummaryEditor["compact"] = async (_, __, request) => {
    asked.push(request);
    return draft;
  };
  for (const request of [{}, { keep: 5 }, { append: true }])
    await drawCompaction(taskFor({ summaries: { compact, checkpoint: compact } }), request, around);
  expect(asked).toEqual([{ now, keep: 3 }, { now, keep: 5 }, { now }]);
});
