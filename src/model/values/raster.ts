/** Tells pictures by their bytes: the raster formats that a browser shows and that cannot hold a script. */

export interface Raster {
  readonly type: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/avif";
  readonly width: number;
  readonly height: number;
}

/** Nothing for any other content, whatever it was called: SVG and HTML are documents, not pictures. */
export function rasterOf(bytes: Uint8Array): Raster | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const read of [png, jpeg, gif, webp, avif]) {
    const found = read(view);
    if (found) return found.width > 0 && found.height > 0 ? found : undefined;
  }
  return undefined;
}

const says = (bytes: Buffer, at: number, text: string): boolean =>
  bytes.length >= at + text.length && bytes.toString("latin1", at, at + text.length) === text;

function png(bytes: Buffer): Raster | undefined {
  if (!says(bytes, 0, "\x89PNG\r\n\x1a\n") || !says(bytes, 12, "IHDR") || bytes.length < 33) return undefined;
  return { type: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function gif(bytes: Buffer): Raster | undefined {
  if (!/^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6)) || bytes.length < 13) return undefined;
  return { type: "image/gif", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** The size stands in the frame header, behind segments of any length. */
function jpeg(bytes: Buffer): Raster | undefined {
  if (!says(bytes, 0, "\xff\xd8\xff")) return undefined;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] as number;
    if (marker === 0xff)
      at++; // a fill byte
    else if (isFrame(marker))
      return { type: "image/jpeg", width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Of the markers from C0 to CF all but the tables. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function webp(bytes: Buffer): Raster | undefined {
  if (!says(bytes, 0, "RIFF") || !says(bytes, 8, "WEBP") || bytes.length < 30) return undefined;
  const type = "image/webp";
  if (says(bytes, 12, "VP8X"))
    return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (says(bytes, 12, "VP8L") && bytes[20] === 0x2f) {
    const packed = bytes.readUInt32LE(21);
    return { type, width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
  }
  if (says(bytes, 12, "VP8 ") && says(bytes, 23, "\x9d\x01\x2a"))
    return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  return undefined;
}

/** The boxes before the pixels are small, and the size is in one of them. */
const AVIF_HEAD = 64 << 10;

function avif(bytes: Buffer): Raster | undefined {
  if (!says(bytes, 4, "ftyp") || !(says(bytes, 8, "avif") || says(bytes, 8, "avis"))) return undefined;
  const at = bytes.subarray(0, AVIF_HEAD).indexOf("ispe");
  if (at < 0 || at + 16 > bytes.length) return undefined;
  return { type: "image/avif", width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
}
