/**
 * Redacts the files of a session, and takes pictures out of them, into files of our own, from which they are sent: what leaves is what was hashed, however
 * long the session goes on meanwhile. Logs pass line by line, so that one of any size fits.
 */
import { AppError } from "../../model/errors.ts";
import type { OutgoingRedactor } from "../../model/redact/outgoing.ts";
import { createPictureRemover, type PictureRemover } from "../../model/redact/pictures.ts";
import type { ScratchFile } from "../../platform/disk/scratch-file.ts";
import { eachLine, LONGEST_LINE } from "../../platform/fs/lines.ts";
import { reasonOf, type SessionFs } from "../../platform/fs/session-fs.ts";
import { createPrefixHash, type PrefixHash } from "./prefix-hash.ts";
import type { LeftOut, LocalFile } from "./session-files.ts";

export interface RedactedFile extends LocalFile {
  /** Where its redacted bytes are. */
  readonly copy: string;
  readonly hash: PrefixHash;
}

export interface RedactedFiles {
  readonly files: readonly RedactedFile[];
  readonly leftOut: readonly LeftOut[];
}

export interface RedactOptions {
  readonly redactor: OutgoingRedactor;
  newScratch(): ScratchFile;
  /** For those who can decrypt them alone, pictures stay. */
  readonly keepsPictures?: boolean;
  /** The lengths of a file of which the hash is wanted. */
  lengthsOf(path: string): readonly number[];
}

/** All files are learned before the first is redacted: a password that the last one names may stand in the first. */
export async function redactFiles(
  fs: SessionFs,
  local: readonly LocalFile[],
  { redactor: secrets, newScratch, lengthsOf, keepsPictures = false }: RedactOptions,
): Promise<RedactedFiles> {
  const files: RedactedFile[] = [];
  const remover = createPictureRemover();
  const redactor = keepsPictures ? secrets : withoutPictures(secrets, remover);
  const { readable, leftOut } = await learnFiles(fs, local, redactor);
  for (const found of readable) {
    const file = { ...found, path: redactor.path(found.path) };
    const scratch = newScratch();
    const hash = createPrefixHash(lengthsOf(file.path));
    const write = buffered((bytes) => {
      hash.update(bytes);
      scratch.write(bytes);
    });
    remover.counted();
    const why = await redact(fs, file, redactor, write);
    write.end();
    if (why !== undefined) leftOut.push({ path: file.place, why });
    const pictures = remover.counted();
    if (pictures > 0) {
      const why = `has ${pictures} ${pictures === 1 ? "picture" : "pictures"}, taken out of it`;
      leftOut.push({ path: file.place, why, pictures });
    }
    files.push({ ...file, copy: scratch.path, hash, size: hash.size() });
  }
  return { files, leftOut };
}

/** Learns and redacts texts without the pictures in them. */
const withoutPictures = (redactor: OutgoingRedactor, remover: PictureRemover): OutgoingRedactor => ({
  ...redactor,
  learn: (text, manner) => redactor.learn(remover.from(text), manner),
  learnLine: (line) => redactor.learnLine(remover.from(line)),
  endLines() {
    remover.endLines();
    redactor.endLines();
  },
  line: (line) => redactor.line(remover.from(line)),
  json: (text) => redactor.json(remover.from(text)),
  yaml: (text) => redactor.yaml(remover.from(text)),
  text: (text) => redactor.text(remover.from(text)),
});

/** Those that can be read as text, and the others. */
export async function learnFiles(
  fs: SessionFs,
  found: readonly LocalFile[],
  redactor: OutgoingRedactor,
): Promise<{ readonly readable: readonly LocalFile[]; readonly leftOut: LeftOut[] }> {
  const leftOut: LeftOut[] = [];
  const readable: LocalFile[] = [];
  for (const file of found) {
    const why = await learnFile(fs, file, redactor);
    if (why === undefined) readable.push(file);
    else leftOut.push({ path: file.place, why });
  }
  return { readable, leftOut };
}

/** In a few words why the file cannot be read as text. */
async function learnFile(
  fs: SessionFs,
  { place, manner, size }: LocalFile,
  redactor: OutgoingRedactor,
): Promise<string | undefined> {
  try {
    if (manner === "jsonl") {
      await eachLine(fs, place, ({ bytes }) => redactor.learnLine(bytes.toString("utf8")), within(size));
      redactor.endLines();
      return undefined;
    }
    const text = textOf(await fs.read(place, { start: 0, end: size }));
    if (text === undefined) return "is not text";
    redactor.learn(text, manner);
    return undefined;
  } catch (error) {
    if (!(error instanceof Error && "code" in error) || error instanceof AppError) throw error;
    return `cannot be read: ${reasonOf(error)}`;
  }
}

/** What is in it that does not leave, in a few words. */
async function redact(
  fs: SessionFs,
  { place, manner, size }: LocalFile,
  redactor: OutgoingRedactor,
  write: (text: string) => void,
): Promise<string | undefined> {
  if (manner !== "jsonl") {
    const text = textOf(await fs.read(place, { start: 0, end: size })) ?? "";
    write(redactor[manner](text));
    return undefined;
  }
  let shortened = 0;
  await eachLine(
    fs,
    place,
    ({ bytes, cut, ended }) => {
      const line = bytes.toString("utf8");
      // A line that is still being written may end in the middle of a secret, which nobody would recognize.
      if (!ended && !isJson(line)) return;
      if (cut > 0) shortened++;
      write(redactor.line(line));
      if (ended) write("\n");
    },
    within(size),
  );
  redactor.endLines();
  return shortened === 0
    ? undefined
    : `has ${shortened} lines that are too long, of which long texts were cut`;
}

/** As it was when it was found: what is appended meanwhile is for the next time. */
const within = (size: number) => ({ end: size, maxLine: LONGEST_LINE });

const BUFFERED = 1 << 18;

function buffered(write: (bytes: Uint8Array) => void): ((text: string) => void) & { end(): void } {
  let parts: string[] = [];
  let length = 0;
  const end = (): void => {
    if (length > 0) write(Buffer.from(parts.join("")));
    parts = [];
    length = 0;
  };
  const add = (text: string): void => {
    parts.push(text);
    length += text.length;
    if (length >= BUFFERED) end();
  };
  return Object.assign(add, { end });
}

/** Nothing for what is no text. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
