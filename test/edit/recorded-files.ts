/** Files that the home's session changed in its last turn, with the states that Copilot CLI would have recorded of them. */
import { hash } from "node:crypto";
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { EditHome } from "./home.ts";

/** The prompt of the last turn. */
const PROMPT = "22222222-0000-4000-8000-000000000008";

/** One was changed, one created, and one went with its folder; they lie where the tests check everything. */
export function recordFiles(home: EditHome): void {
  const put = (text: string, ...names: string[]): string => {
    const path = home.file(...names);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    return path;
  };
  const was = (text: string) => {
    put(text, "rewind-file-snapshots", "backups", hash("sha256", text));
    return { kind: "content", contentHash: hash("sha256", text), mode: 0o100644 };
  };
  const is = (text: string) => ({ kind: "content", contentHash: hash("sha256", text) });
  const absent = { kind: "absent" };
  const files = {
    changed: { path: put("new", "files", "changed"), preimage: was("old"), postimage: is("new") },
    created: { path: put("made", "files", "created"), preimage: absent, postimage: is("made") },
    deleted: { path: home.file("files", "sub", "gone"), preimage: was("gone"), postimage: absent },
  };
  const index = home.file("rewind-file-snapshots", "index.json");
  const { snapshots, ...rest } = JSON.parse(readFileSync(index, "utf8"));
  const recorded = { snapshotId: "files", eventId: PROMPT, files };
  put(
    JSON.stringify({ ...rest, snapshots: [...snapshots, recorded] }),
    "rewind-file-snapshots",
    "index.json",
  );
}
