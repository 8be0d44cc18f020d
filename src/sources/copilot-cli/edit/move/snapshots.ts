/** Rewrites the recorded file states of a moved session, so that it can be rewound in the new folder. */
import { hash } from "node:crypto";
import { MAX_DEPTH } from "../../../../model/values/json.ts";
import { setMember } from "../../../../model/values/member.ts";
import { type Relocation, relocate } from "../../../../model/values/relocate.ts";
import { asObject, asString, type JsonObject } from "../../../log/jsonl.ts";
import { parseKnownIndex } from "../rewind-files/snapshots.ts";

export interface MovedSnapshots {
  readonly text: string;
  /** Recorded states of files that lead elsewhere now. */
  readonly files: number;
}

/** Nothing when no file in it lies below the folder. */
export function moveSnapshots(text: string, relocation: Relocation): MovedSnapshots | undefined {
  const index = parseKnownIndex(text);
  let files = 0;
  const moved = index?.snapshots.map((snapshot) => {
    const entries = Object.entries(asObject(snapshot.files) ?? {}).map(([key, file]) => {
      const path = asString(asObject(file)?.path) ?? "";
      const there = relocate(path, relocation);
      if (there === undefined) return [key, file] as const;
      files++;
      return [key === keyOf(path) ? keyOf(there) : key, moveFile(file, relocation)] as const;
    });
    return snapshot.files === undefined ? snapshot : { ...snapshot, files: Object.fromEntries(entries) };
  });
  return index && moved && files > 0 ? { text: index.write(moved), files } : undefined;
}

/** The program finds a file by this. */
const keyOf = (path: string): string => hash("sha256", path).slice(0, 32);

/** Links keep their targets: what a link says is on the disk, and moving the session does not change that. */
function moveFile(value: unknown, relocation: Relocation, levels: number = MAX_DEPTH): unknown {
  const object = asObject(value);
  if (!object || levels === 0) return value;
  const moved: JsonObject = {};
  for (const [name, each] of Object.entries(object)) {
    const there =
      name === "path" || name === "resolvedPath" ? relocate(asString(each) ?? "", relocation) : undefined;
    const value =
      there ??
      (name === "encodedPath" ? moveEncoded(each, relocation) : moveFile(each, relocation, levels - 1));
    setMember(moved, name, value);
  }
  return moved;
}

/** The same path once more, byte for byte, in hexadecimal. */
function moveEncoded(value: unknown, relocation: Relocation): unknown {
  const encoded = asObject(value);
  if (encoded?.encoding !== "unix-bytes") return value;
  const path = Buffer.from(asString(encoded.data) ?? "", "hex").toString("utf8");
  const there = relocate(path, relocation);
  return there === undefined ? value : { ...encoded, data: Buffer.from(there).toString("hex") };
}
