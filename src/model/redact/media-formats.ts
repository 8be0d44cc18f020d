/** Tells pictures, sound, films and PDF by their first bytes, and has the smallest content of each that programs still take. */

export type MediaFormat = "png" | "jpeg" | "gif" | "webp" | "svg" | "wav" | "pdf" | "image" | "other";

/**
 * What stands in the place of a picture, in base64: one transparent point of the same format, as a service refuses a picture
 * that is of another type than its message says. PNG, PDF and what nobody reads say what they are.
 */
const PLACEHOLDERS = {
  png: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAHHRFWHRDb21tZW50AGxlZnQgb3V0IGJ5IHJldGhyZWFk6hdUwAAAAAtJREFUeJxjYAACAAAFAAF6Xqs/AAAAAElFTkSuQmCC",
  jpeg: "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=",
  gif: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
  webp: "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==",
  svg: "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=",
  wav: "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=",
  pdf: "JVBERi0xLjQKJSBsZWZ0IG91dCBieSByZXRocmVhZAoxIDAgb2JqPDwvVHlwZS9DYXRhbG9nL1BhZ2VzIDIgMCBSPj5lbmRvYmoKMiAwIG9iajw8L1R5cGUvUGFnZXMvS2lkc1szIDAgUl0vQ291bnQgMT4+ZW5kb2JqCjMgMCBvYmo8PC9UeXBlL1BhZ2UvUGFyZW50IDIgMCBSL01lZGlhQm94WzAgMCA5IDldPj5lbmRvYmoKeHJlZgowIDQKMDAwMDAwMDAwMCA2NTUzNSBmIAowMDAwMDAwMDMyIDAwMDAwIG4gCjAwMDAwMDAwNzUgMDAwMDAgbiAKMDAwMDAwMDEyNCAwMDAwMCBuIAp0cmFpbGVyPDwvU2l6ZSA0L1Jvb3QgMSAwIFI+PgpzdGFydHhyZWYKMTgzCiUlRU9GCg==",
  other: "bGVmdCBvdXQgYnkgcmV0aHJlYWQ=",
} as const;

/** In base64. */
export const placeholderOf = (format: MediaFormat): string =>
  PLACEHOLDERS[format === "image" ? "png" : format];

const ALL = new Set<string>(Object.values(PLACEHOLDERS));

/** Whether these bytes stand where a picture was left out. */
export const isPlaceholder = (content: Uint8Array): boolean =>
  content.length < 1024 && ALL.has(Buffer.from(content).toString("base64"));

/** `bytes`: the first 32 at least, where there are so many. */
export function formatOf(bytes: Buffer): MediaFormat | undefined {
  const says = (at: number, text: string): boolean => bytes.toString("latin1", at, at + text.length) === text;
  if (says(0, "\x89PNG\r\n\x1a\n")) return "png";
  if (says(0, "\xff\xd8\xff") && isMarker(bytes[3] ?? 0)) return "jpeg";
  if (says(0, "GIF87a") || says(0, "GIF89a")) return "gif";
  if (says(0, "RIFF")) return says(8, "WEBP") ? "webp" : says(8, "WAVE") ? "wav" : "other";
  if (says(4, "ftyp"))
    return /^(avi[fs]|hei|hev|mif1|msf1)/.test(bytes.toString("latin1", 8, 12)) ? "image" : "other";
  if (says(0, "%PDF-")) return "pdf";
  if (says(0, "II*\0") || says(0, "MM\0*")) return "image";
  if (says(0, "BM") && bytes.length >= 18 && bytes.readUInt32LE(6) === 0 && isHeader(bytes.readUInt32LE(14)))
    return "image";
  if (says(0, "\0\0\x01\0") && bytes.length >= 14 && isIcon(bytes)) return "image";
  if (says(0, "OggS") || says(0, "fLaC") || says(0, "\x1aE\xdf\xa3")) return "other";
  if (says(0, "ID3") && (bytes[3] ?? 0) <= 4 && bytes[4] === 0) return "other";
  return undefined;
}

/** What may follow the beginning of a JPEG. */
const isMarker = (byte: number): boolean =>
  (byte >= 0xc0 && byte <= 0xcf) || (byte >= 0xe0 && byte <= 0xef) || [0xdb, 0xdd, 0xfe].includes(byte);

const isHeader = (size: number): boolean => [12, 40, 52, 56, 64, 108, 124].includes(size);

const isIcon = (bytes: Buffer): boolean => bytes.readUInt16LE(4) > 0 && bytes[5] === 0 && bytes[9] === 0;

/** By a media type, where the bytes say nothing. */
export const formatOfType = (type: string): MediaFormat =>
  /svg/i.test(type) ? "svg" : /^image/i.test(type) ? "image" : /wav/i.test(type) ? "wav" : "other";

/** The beginnings of all these in base64; of JPEG without its first letter, a slash, which JSON may have escaped. */
export const BEGINNINGS =
  /iVBORw0KGgo|9j(?=[\\/_])|R0lGOD[dl]h|UklGR|[GWm2]Z0eX|JVBERi0|SUkqA|TU0AK|Qk[0-3]|AAABAA|T2dnUw|ZkxhQ|GkXfo|SUQz/g;

/** What stands before these letters and belongs to the beginning. */
export const BEFORE: Readonly<Record<string, RegExp>> = {
  "9j": /(?:\\{0,64}[/_]|\\{1,64}u002[fF])$/,
  ...Object.fromEntries([..."GWm2"].map((letter) => [`${letter}Z0eX`, /AAAA[\w+/-]$/])),
};

/** The first bytes of all these as numbers. */
export const FIRST_NUMBER = "(?:137|255|71|82|0|37|73|77|66|79|102|26)";
