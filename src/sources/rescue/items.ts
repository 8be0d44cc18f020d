/** What a damaged log is made of, in its order: sound lines, parts of damaged ones, and what is lost for good. */
import { isUtf8 } from "node:buffer";
import type { Repair } from "../../model/plan-facts.ts";
import { append } from "../../model/values/lists.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { foreignBytes, joined, type Part, partsOf, type RecordShape } from "./parts.ts";
import { type DamagedStretch, type Section, sectionsOf } from "./sections.ts";

export interface PartItem {
  readonly kind: "part";
  part: Part;
  /** Its first byte in the log. */
  readonly at: number;
  readonly line: number;
  /** The line in which its first half begins. */
  half?: number;
  /** It went to its other half. */
  isJoined?: boolean;
}

export type LostItem = Extract<Section, { kind: "lost" }>;

export type Item<Sound> = { readonly kind: "sound"; readonly stretch: Sound } | LostItem | PartItem;

export async function itemsOf<Stretch extends DamagedStretch & { readonly isSound: boolean }>(
  fs: SessionFs,
  path: string,
  stretches: readonly Stretch[],
  shape: RecordShape,
): Promise<Item<Stretch>[]> {
  const items: Item<Stretch>[] = [];
  for (const stretch of stretches) {
    if (stretch.isSound) items.push({ kind: "sound", stretch });
    else
      for (const section of await sectionsOf(fs, path, stretch))
        if (section.kind === "lost") items.push(section);
        else append(items, partItems(section, shape));
  }
  joinHalves(items, shape);
  return items;
}

function partItems(
  { bytes, start, line }: Extract<Section, { kind: "bytes" }>,
  shape: RecordShape,
): PartItem[] {
  let [at, number] = [0, line];
  return partsOf(bytes, shape).map((part) => {
    for (let feed = bytes.indexOf(10, at); feed >= 0 && feed < part.start; feed = bytes.indexOf(10, at)) {
      number++;
      at = feed + 1;
    }
    return { kind: "part", part, at: start + part.start, line: number };
  });
}

/** So many damaged parts may lie between the halves of a record; beyond that the second one is not looked for. */
const REACH = 16;

/** Two writers at once may have written one record into the middle of another. */
function joinHalves<Sound>(items: readonly Item<Sound>[], shape: RecordShape): void {
  let open: PartItem | undefined;
  let since = 0;
  for (const item of items) {
    if (item.kind === "lost" && ++since > REACH) open = undefined;
    if (item.kind !== "part" || item.part.kind === "record") continue;
    const text = open && joined(open.part, item.part, shape);
    if (open && text !== undefined) {
      item.half = open.line;
      item.part = { ...item.part, kind: "record", text };
      open.isJoined = true;
      open = undefined;
    } else if (item.part.kind === "torn") {
      open = item;
      since = 0;
    } else if (++since > REACH) open = undefined;
  }
}

/** How a record was got out of damaged lines, in words. */
export const whatOfPart = ({ part, half }: PartItem): string[] => [
  ...(half === undefined ? [] : [`the other half of a record that begins in line ${half}: joined`]),
  ...(part.kind === "torn" ? ["a record that stops in the middle: what is left of it was kept"] : []),
  ...(half === undefined && !part.isAlone ? ["not alone on its line: split"] : []),
  ...(part.kind === "record" && half === undefined && part.text !== part.bytes.toString("utf8")
    ? ["line breaks or other control characters inside a string: escaped"]
    : []),
];

/** The bytes of a part that no text can have. */
export const foreignIn = (path: string, { part, at, line }: PartItem): Repair[] =>
  foreignBytes(part.bytes, isUtf8).map(([from, to]) => ({
    ...{ path, line, start: at + from, end: at + to },
    ...{ what: "bytes that are not UTF-8", isLost: true },
  }));

export const lossOf = (path: string, item: LostItem | PartItem): Repair =>
  item.kind === "lost"
    ? { path, line: item.line, start: item.start, end: item.end, what: item.why, isLost: true }
    : {
        ...{ path, line: item.line, start: item.at, end: item.at + item.part.bytes.length },
        ...{ what: describeLoss(item.part), isLost: true },
      };

const describeLoss = ({ bytes, kind }: Part): string =>
  bytes[0] === 0
    ? "NUL bytes, as left by a crash"
    : kind === "torn"
      ? "a record that stops before its content"
      : "not a record or part of one";
