/** The bytes of a picture in a transcript: a block of the form that the service takes. */
import { asObject, asString } from "../log/jsonl.ts";
import type { ImageReader } from "../source.ts";

export const images: ImageReader = {
  bytesIn(block) {
    const source = asObject(asObject(block)?.source);
    const data = source?.type === "base64" ? asString(source.data) : undefined;
    return data === undefined ? undefined : Buffer.from(data, "base64");
  },
};
