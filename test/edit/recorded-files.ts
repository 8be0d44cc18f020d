/** Files of a workspace that a session changed, with the states that Copilot CLI would have recorded of them. */
import { hash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { RewindOf } from "../../src/app/edit-contract.ts";
import { BACKUPS, createEditHome, type EditHome, ID } from "./home.ts";

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

/** As the program records it: what was there is kept, of what came is only noted what it was. */
export type Image = { kind: string; [name: string]: unknown };
export const ABSENT: Image = { kind: "absent" };

export interface Change {
  readonly before: Image;
  readonly after: Image;
}

/** The prompts of the home's session that begin its three turns. */
export const PROMPTS = [2, 4, 8].map((n) => `22222222-0000-4000-8000-${String(n).padStart(12, "0")}`);

export const sha = (text: string): string => hash("sha256", text);

/** A session, the workspace that it is about, and file states to record. */
export interface Shop {
  readonly home: EditHome;
  /** The workspace. */
  readonly work: string;
  at(...names: string[]): string;
  put(name: string, text: string, mode?: number): void;
  /** The content and mode of a file, or "gone". */
  look(name: string): string;
  was(text: string, path: string, mode?: number): Image;
  became(text: string, path: string): Image;
  /** The changes of each turn, by the names of the files. */
  record(...turns: Record<string, Change>[]): void;
  rewind(to: number, wish?: Omit<RewindOf, "to">): ReturnType<ReturnType<EditHome["edit"]>["apply"]>;
  aboutFolder(folder: string): void;
  remove(): void;
}

/** In a folder beside the home, unless another is given. */
export function createShop(elsewhere?: string): Shop {
  const home = createEditHome();
  const work = elsewhere ?? join(dirname(home.copilot), "shop");
  mkdirSync(work, { recursive: true });
  const at = (...names: string[]): string => join(work, ...names);
  const shop: Shop = {
    home,
    work,
    at,
    put(name, text, mode = 0o644) {
      mkdirSync(dirname(at(name)), { recursive: true });
      writeFileSync(at(name), text);
      chmodSync(at(name), mode);
    },
    look: (name) =>
      existsSync(at(name))
        ? `${readFileSync(at(name), "utf8")} ${(statSync(at(name)).mode & 0o777).toString(8)}`
        : "gone",
    was(text, path, mode = 0o100644) {
      writeFileSync(home.file("rewind-file-snapshots", "backups", sha(text)), text);
      return { kind: "content", contentHash: sha(text), backupFile: sha(text), mode, resolvedPath: at(path) };
    },
    became: (text, path) => ({ kind: "content", contentHash: sha(text), resolvedPath: at(path) }),
    record(...turns) {
      const snapshots = turns.map((files, turn) => ({
        snapshotId: `s${turn}`,
        eventId: PROMPTS[turn],
        timestamp: `2026-11-01T10:00:${PROMPTS[turn]?.slice(-2)}.000Z`,
        files: Object.fromEntries(
          Object.entries(files).map(([name, { before, after }]) => [
            sha(at(name)).slice(0, 32),
            { path: at(name), preimage: before, postimage: after, linesAdded: 2, linesRemoved: 1 },
          ]),
        ),
      }));
      for (const each of BACKUPS)
        rmSync(home.file("rewind-file-snapshots", "backups", each), { force: true });
      writeFileSync(
        home.file("rewind-file-snapshots", "index.json"),
        JSON.stringify({ schema: 1, snapshots }, undefined, 2),
      );
    },
    async rewind(to, wish = {}) {
      const edit = home.edit();
      return edit.apply(await edit.planRewind(ID, to, { files: true, ...wish }));
    },
    /** Both of them say which folder it is about. */
    aboutFolder(folder) {
      for (const name of ["workspace.yaml", "events.jsonl"]) {
        const text = readFileSync(home.file(name), "utf8");
        writeFileSync(home.file(name), text.replace(/(cwd"?: ?"?)[^"\n]*/, `$1${folder}`));
      }
    },
    remove: () => home.remove(),
  };
  shop.aboutFolder(work);
  return shop;
}
