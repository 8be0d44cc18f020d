/** Pictures in a chat: attached to a request, or among what a tool gave back. */
import { type ImageRef, toImageId } from "../../../model/session/image-ref.ts";
import type { Origin } from "../../../model/session/session.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../../log/jsonl.ts";
import type { ImageReader } from "../../source.ts";
import type { Path } from "../format/json-outline.ts";

type OriginOf = (path: Path) => Origin;

/** A picture that was pasted or dropped; one that is only named by its address is not held. */
export function imageOfVariable(variable: JsonObject, originOf: OriginOf, at: Path): ImageRef | undefined {
  if (variable.kind !== "image" && variable.isImage !== true) return undefined;
  return toImage(variable, originOf, at);
}

/** What VS Code shows of a call, else what the extension keeps for the model: mostly the same. */
export function imagesOfCall(
  part: JsonObject,
  kept: JsonObject | undefined,
  originOf: OriginOf,
  at: { readonly part: Path; readonly kept: Path },
): readonly ImageRef[] {
  const output = asObject(part.resultDetails)?.output;
  const shown = Array.isArray(output)
    ? imagesIn(output, originOf, [...at.part, "resultDetails", "output"])
    : isPicture(output)
      ? [toImage(output, originOf, [...at.part, "resultDetails", "output"])]
      : [];
  return shown.length > 0 ? shown : imagesOfResult(kept, originOf, at.kept);
}

export const imagesOfResult = (
  kept: JsonObject | undefined,
  originOf: OriginOf,
  at: Path,
): readonly ImageRef[] => imagesIn(asArray(kept?.content), originOf, [...at, "content"]);

const imagesIn = (list: readonly unknown[], originOf: OriginOf, at: Path): readonly ImageRef[] =>
  list.flatMap((item, index) => (isPicture(item) ? [toImage(item, originOf, [...at, index])] : []));

const isPicture = (item: unknown): item is JsonObject =>
  isObject(item) && item.isText !== true && /^image\//.test(asString(item.mimeType) ?? "");

function toImage(value: JsonObject, originOf: OriginOf, at: Path): ImageRef {
  const name = asString(value.name);
  const type = asString(value.mimeType);
  return {
    ...(isHeld(value) && { id: toImageId(originOf(at)) }),
    ...(name !== undefined && { name }),
    ...(type !== undefined && { type }),
  };
}

/** Attachments and outputs have a `value`, parts of what the model receives have `data`. */
const isHeld = (item: JsonObject): boolean =>
  [item.data, item.value].some((value) => base64In(value) !== undefined || numbersIn(value) !== undefined) ||
  isBase64(item);

/** A text is base64 where it says that it is no text; else it may be an address. */
const isBase64 = (item: JsonObject): item is JsonObject & { value: string } =>
  item.isText === false && typeof item.value === "string";

/** Bytes as JSON has them: as base64, or as a list or an object of numbers. */
const base64In = (value: unknown): string | undefined => asString(asObject(value)?.$base64);

function numbersIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return isByte(value[0]) ? value : undefined;
  const object = asObject(value);
  if (object?.type === "Buffer") return numbersIn(object.data);
  return object && isByte(object["0"]) ? Object.values(object) : undefined;
}

const isByte = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 256;

function toBytes(value: unknown): Uint8Array | undefined {
  const base64 = base64In(value);
  if (base64 !== undefined) return Buffer.from(base64, "base64");
  const numbers = numbersIn(value);
  return numbers?.every(isByte) ? Uint8Array.from(numbers) : undefined;
}

export const images: ImageReader = {
  bytesIn(value) {
    const item = asObject(value);
    if (!item) return undefined;
    return (
      toBytes(item.data) ??
      toBytes(item.value) ??
      (isBase64(item) ? Buffer.from(item.value, "base64") : undefined)
    );
  },
};
