/** Pushes made of texts. */
import { createHash } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import type { PushedFile, PushHeader } from "../../src/hub/protocol.ts";

export const MACHINE = { id: "00000001-0000-4000-8000-000000000001", name: "laptop" };

export const sha256 = (bytes: Uint8Array | string): string =>
  createHash("sha256").update(bytes).digest("hex");

export interface Push {
  readonly header: PushHeader;
  readonly bodies: Uint8Array[];
}

export interface FilePart extends Partial<PushedFile> {
  readonly path: string;
  /** What the hub has already. */
  readonly before?: string;
  /** One piece each. */
  readonly texts: readonly (string | Uint8Array)[];
}

/** Some pieces of some files, compressed. */
export function pushOf(parts: readonly FilePart[], more: Partial<PushHeader> = {}): Push {
  const bodies: Uint8Array[] = [];
  const files = parts.map(({ path, before = "", texts, ...rest }): PushedFile => {
    const whole = [Buffer.from(before)];
    const pieces = texts.map((text) => {
      const bytes = Buffer.from(text);
      const start = whole.reduce((sum, { length }) => sum + length, 0);
      whole.push(bytes);
      bodies.push(zstdCompressSync(bytes));
      const events = bytes.toString().split("\n").length - 1;
      return { start, bytes: bytes.length, events, sha256: sha256(bytes) };
    });
    const all = Buffer.concat(whole);
    return {
      ...{ path, generation: 0, mode: 0o600, mtimeMs: 1_700_000_000_000 },
      ...{ size: all.length, sha256: sha256(all), pieces, ...rest },
    };
  });
  const header = {
    ...{ machine: MACHINE, source: "copilot-cli", id: "one", facts: {}, isSealed: false, files, removed: [] },
    ...more,
    bodies: bodies.map(({ length }) => length),
  };
  return { header, bodies };
}
