/** Writes the raw files of a session that the hub has into a scratch folder, each byte checked. */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";
import { isPortable } from "../../bundle/portable-name.ts";
import { LARGEST_PIECE, type OwnSession, type SessionFacts } from "../../hub/protocol.ts";
import type { HubClient } from "../../hub/sync/hub-client.ts";
import { odd, type RawFrame, readRawFrames } from "../../hub/sync/raw-stream.ts";
import { notOurs, type Seal, type SealedHead } from "../../hub/sync/seal.ts";
import type { ScratchFolder } from "../../platform/disk/scratch-folder.ts";
import { isErrno } from "../../platform/fs/session-fs.ts";

export interface UnpackedFile {
  readonly path: string;
  readonly mode: number;
  readonly mtimeMs: number;
}

export interface Unpacked {
  readonly files: ReadonlyMap<string, UnpackedFile>;
  /** As its owner knows it; of a sealed session the hub does not. */
  readonly facts: SessionFacts;
}

const decompress = promisify(zstdDecompress);
/** A sealed piece begins with its head. */
const LARGEST_SEALED = 2 * LARGEST_PIECE;

export async function unpackSession(
  client: Pick<HubClient, "raw">,
  session: OwnSession,
  into: ScratchFolder,
  seal: Seal | undefined,
): Promise<Unpacked> {
  if (session.isSealed && !seal) throw notOurs();
  const sealed = session.isSealed && seal ? createSealedFiles(into, seal) : undefined;
  const files = new Map<string, UnpackedFile>();
  let current: { readonly file: RawFrame["file"]; readonly end: () => void } | undefined;
  let write: ((piece: RawFrame["pieces"][number]) => Promise<void>) | undefined;
  for await (const { file, pieces } of readRawFrames(await client.raw(session.session))) {
    if (file.path !== current?.file.path) {
      current?.end();
      const opened = createChecked(file);
      current = { file, end: opened.end };
      write = async (piece) => {
        opened.meet(piece, sealed ? piece.body : undefined);
        if (sealed) await sealed.add(file.path, piece.body);
        else {
          const bytes = await plain(piece.body, piece.bytes);
          opened.hash(bytes);
          into.append(file.path, bytes);
        }
      };
      if (!sealed) {
        refuseUnsafe(file.path);
        begin(into, file.path);
        files.set(file.path, { path: file.path, mode: file.mode, mtimeMs: file.mtimeMs });
      }
    }
    for (const piece of pieces) await write?.(piece);
  }
  current?.end();
  return sealed ? sealed.end() : { files, facts: session.facts };
}

/** Every byte of a file is there, in order, and is what was hashed when it was sent. */
function createChecked(file: RawFrame["file"]) {
  const sum = createHash("sha256");
  let at = 0;
  return {
    meet({ start, bytes }: { readonly start: number; readonly bytes: number }, sent?: Uint8Array): void {
      if (start !== at) throw odd(`a part of ${file.path} is missing`);
      at += bytes;
      if (sent) sum.update(sent);
    },
    hash: (bytes: Uint8Array): void => void sum.update(bytes),
    end(): void {
      if (at !== file.size || sum.digest("hex") !== file.sha256) throw odd(`${file.path} is damaged`);
    },
  };
}

/** A hub is not to decide where on this machine something is written. */
function refuseUnsafe(path: string): void {
  if (!isPortable(path)) throw odd("a file has a name that leads elsewhere");
}

/** Twice the same name, or two that this system takes for one, would be one file with the bytes of both. */
function begin(into: ScratchFolder, path: string): void {
  try {
    into.create(path);
  } catch (error) {
    if (!isErrno(error, "EEXIST", "ENOTDIR", "EISDIR")) throw error;
    throw odd("two files have one name on this machine");
  }
}

const plain = async (body: Uint8Array, bytes: number): Promise<Buffer> => {
  if (bytes > LARGEST_PIECE) throw odd("a piece is too large");
  return decompress(body, { maxOutputLength: bytes });
};

/** Sealed files hold parts of files, in no order. */
function createSealedFiles(into: ScratchFolder, seal: Seal) {
  const parts = new Map<string, { head: SealedHead; name: string; size: number }>();
  return {
    async add(stored: string, body: Uint8Array): Promise<void> {
      const bytes = await decompress(await seal.open(body), { maxOutputLength: LARGEST_SEALED });
      const known = parts.get(stored);
      if (known) {
        into.append(known.name, bytes);
        known.size += bytes.length;
        return;
      }
      const end = bytes.indexOf(10);
      const head = JSON.parse(bytes.subarray(0, end).toString("utf8")) as SealedHead;
      refuseUnsafe(head.path);
      const part = { head, name: `.parts/${parts.size}`, size: bytes.length - end - 1 };
      into.append(part.name, bytes.subarray(end + 1));
      parts.set(stored, part);
    },
    async end(): Promise<Unpacked> {
      const files = new Map<string, UnpackedFile>();
      const sizes = new Map<string, number>();
      let facts: SessionFacts = {};
      const { localFs } = await import("../../platform/fs/local.ts");
      // A file that was empty has a part without bytes, where the next one begins, too.
      const inOrder = [...parts.values()].sort((a, b) => a.head.start - b.head.start || a.size - b.size);
      for (const { head, name, size } of inOrder) {
        const { path, mode, mtimeMs } = head;
        if (head.start !== (sizes.get(path) ?? 0)) throw odd("a sealed part is missing");
        if (!sizes.has(path)) begin(into, path);
        for await (const chunk of localFs.chunks(`${into.path}/${name}`)) into.append(path, chunk);
        sizes.set(path, head.start + size);
        files.set(path, { path, mode, mtimeMs });
        facts = head.facts;
      }
      return { files, facts };
    },
  };
}
