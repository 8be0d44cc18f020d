/** Pictures in a log: beside a prompt or among what a tool gave back; their bytes stand there, or once in a record of their own. */
import { type ImageRef, toAssetId, toImageId, type ValuePlace } from "../../../model/session/image-ref.ts";
import type { Artifact, Origin } from "../../../model/session/session.ts";
import { memberOf } from "../../../model/values/member.ts";
import { eachLine } from "../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import { asArray, asObject, asString, decodeLine, type JsonObject } from "../../log/jsonl.ts";
import type { ImageReader } from "../../source.ts";

const IMAGE_NAME = /\.(png|jpe?g|gif|webp|avif)$/i;

/** Nothing for what is no picture. The program leaves the bytes out where they are too many. */
export function imageOf(
  value: JsonObject,
  origin: Origin,
  at: readonly (string | number)[],
): ImageRef | undefined {
  const type = asString(value.mimeType);
  const name = asString(value.displayName) ?? asString(value.description);
  const isPicture = type === undefined ? IMAGE_NAME.test(asString(value.path) ?? "") : /^image\//.test(type);
  if (!isPicture) return undefined;
  const asset = asString(value.assetId);
  const isHere = typeof value.data === "string";
  return {
    ...(asset !== undefined ? { id: toAssetId(asset) } : isHere && { id: toImageId({ ...origin, at }) }),
    ...(name !== undefined && { name }),
    ...(type !== undefined && { type }),
  };
}

/** What the model was shown; else what the tool gave back in its own form, which may be the same again. */
export function imagesOfResult(result: JsonObject | undefined, origin: Origin): readonly ImageRef[] {
  for (const list of ["binaryResultsForLlm", "contents"]) {
    const images = asArray(result && memberOf(result, list)).flatMap((value, index) => {
      const part = asObject(value);
      return (part && imageOf(part, origin, ["data", "result", list, index])) ?? [];
    });
    if (images.length > 0) return images;
  }
  return [];
}

const ASSET = Buffer.from('{"type":"session.binary_asset"');
/** What is looked at of a picture's record, and of each text in it. */
const HEAD = { maxLine: 16 << 10, keep: 512 };

/** It stands somewhere before the first record that names it: a picture that is attached twice is kept once. */
async function findAsset(fs: SessionFs, { path }: Artifact, asset: string): Promise<ValuePlace | undefined> {
  let found: ValuePlace | undefined;
  await eachLine(
    fs,
    path,
    (line) => {
      if (found || !line.bytes.subarray(0, ASSET.length).equals(ASSET)) return;
      const decoded = decodeLine(line);
      const record = decoded.kind === "record" ? decoded.record : undefined;
      if (asObject(record?.data)?.assetId === asset)
        found = { start: line.start, end: line.end, at: ["data"] };
    },
    { ...HEAD, pass: (bytes, start) => !bytes.subarray(start, start + ASSET.length).equals(ASSET) },
  );
  return found;
}

export const images: ImageReader = {
  bytesIn(value) {
    const data = asString(asObject(value)?.data);
    return data === undefined ? undefined : Buffer.from(data, "base64");
  },
  findAsset,
};
