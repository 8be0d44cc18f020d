/** Reads values that were left in a session file, one at a time, in bounded memory. */
import { memberOf } from "../../../model/values/member.ts";
import { keepOf } from "../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import type { Window } from "../../../platform/fs/window.ts";
import { createShrinker } from "../../../platform/json/shrink.ts";
import { createOutliner, type Outline, type Path, parse } from "./json-outline.ts";
import type { Load, Loaded } from "./parsed-session.ts";
import { salvage } from "./salvage.ts";

/**
 * Remembers the last range: turns that stand in one line are asked for one after the other. `check` is given each range
 * with what it says, and may throw.
 */
export function createLoad(
  fs: SessionFs,
  path: string,
  maxLine: number,
  window: Pick<Window, "get"> = { get: async (start, end) => asBuffer(await fs.read(path, { start, end })) },
  check?: (bytes: Buffer, value: unknown) => void,
): Load {
  let last: { start: number; end: number; loaded: Loaded } | undefined;
  return async ({ start, end, at }) => {
    if (last?.start !== start || last.end !== end) {
      last = { start, end, loaded: await loadRange(fs, path, { start, end }, maxLine, window, check) };
    }
    return { ...last.loaded, value: pickFrom(last.loaded.value, at) };
  };
}

async function loadRange(
  fs: SessionFs,
  path: string,
  range: { start: number; end: number },
  maxLine: number,
  window: Pick<Window, "get">,
  check?: (bytes: Buffer, value: unknown) => void,
): Promise<Loaded> {
  let bytes: Buffer;
  let cut = 0;
  if (range.end - range.start <= maxLine) {
    bytes = await window.get(range.start, range.end);
  } else {
    const shrinker = createShrinker(keepOf(maxLine));
    for await (const chunk of fs.chunks(path, range)) shrinker.push(asBuffer(chunk));
    ({ bytes, cut } = shrinker.end());
  }
  const value = parse(bytes);
  check?.(bytes, value);
  return value === undefined ? { value: salvage(bytes), cut, whole: false } : { value, cut, whole: true };
}

/** The outline of a stretch of the file, with places counted from the file's first byte. */
export async function outlineRange(
  fs: SessionFs,
  path: string,
  range: { start: number; end: number },
  enter: (path: Path) => boolean,
  withMembers = false,
): Promise<Outline> {
  const outliner = createOutliner(enter, range.start, withMembers);
  for await (const chunk of fs.chunks(path, range)) outliner.push(asBuffer(chunk));
  return outliner.end();
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function pickFrom(value: unknown, path: Path): unknown {
  let found = value;
  for (const step of path) {
    found =
      typeof found === "object" && found !== null
        ? memberOf(found as Record<string, unknown>, step)
        : undefined;
  }
  return found;
}
