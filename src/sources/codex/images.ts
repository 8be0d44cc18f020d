/** The bytes of a picture in a log: a part of a message with a `data:` address, or base64 as the service makes it. */
import { asObject, asString } from "../log/jsonl.ts";
import type { ImageReader } from "../source.ts";

export const images: ImageReader = {
  bytesIn(value) {
    if (typeof value === "string") return Buffer.from(value, "base64");
    const data = /^data:[^,]*;base64,(.*)$/s.exec(asString(asObject(value)?.image_url) ?? "")?.[1];
    return data === undefined ? undefined : Buffer.from(data, "base64");
  },
};
