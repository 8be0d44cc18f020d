/** Checks that the bodies of a push are what its header says, before anything is stored. */
import { createHash, type Hash } from "node:crypto";
import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";
import { AppError } from "../../model/errors.ts";
import { LARGEST_PIECE, type PushedFile, type PushedPiece, type PushHeader } from "../protocol.ts";

const decompress = promisify(zstdDecompress);

/** A piece with what will be stored of it. */
export interface Body {
  readonly piece: PushedPiece;
  readonly body: Uint8Array;
}

/** By the path of their file, in the order of the header. */
export async function checkBodies(
  { files, isSealed }: Pick<PushHeader, "files" | "isSealed">,
  bodies: readonly Uint8Array[],
): Promise<ReadonlyMap<string, readonly Body[]>> {
  const checked = new Map<string, readonly Body[]>();
  let at = 0;
  for (const file of files) {
    const own = file.pieces.map((piece, index): Body => {
      const body = bodies[at + index];
      if (!body) throw damaged(file.path, "a piece has no body");
      return { piece, body };
    });
    at += own.length;
    if (isSealed) for (const each of own) checkSealed(file.path, each);
    else await checkFile(file, own);
    checked.set(file.path, own);
  }
  return checked;
}

/**
 * Of a file that comes at once the hash of the whole is checked here. Of one that is continued only the pieces are: the
 * hash of all of it is checked when its rows are made, where every byte is read anyway.
 */
async function checkFile(file: PushedFile, bodies: readonly Body[]): Promise<void> {
  const whole = bodies[0]?.piece.start === 0 || file.size === 0 ? createHash("sha256") : undefined;
  let size = 0;
  for (const { piece, body } of bodies) {
    const bytes = await plainBytes(file.path, piece, body);
    if (whole && piece.start === size) whole.update(bytes);
    size = piece.start + piece.bytes;
  }
  if (whole && size === file.size && !isContinued(bodies) && hex(whole) !== file.sha256)
    throw damaged(file.path, "its bytes are not those that its hash was made of");
}

/** Pieces that were left out, because the hub has them. */
const isContinued = (bodies: readonly Body[]): boolean => {
  let at = 0;
  for (const { piece } of bodies) {
    if (piece.start !== at) return true;
    at += piece.bytes;
  }
  return false;
};

/** Never more than the piece says that it has, however little its compressed form is. */
export async function plainBytes(
  path: string,
  { bytes, sha256 }: { readonly bytes: number; readonly sha256?: string },
  body: Uint8Array,
): Promise<Buffer> {
  if (bytes > LARGEST_PIECE) throw damaged(path, "a piece is too large");
  const plain = await decompress(body, { maxOutputLength: bytes }).catch(() => {
    throw damaged(path, "a piece cannot be decompressed to what it should be");
  });
  if (plain.length !== bytes) throw damaged(path, "a piece has not the length that it should have");
  if (sha256 !== undefined && hex(createHash("sha256").update(plain)) !== sha256)
    throw damaged(path, "a piece is not what its hash was made of");
  return plain;
}

function checkSealed(path: string, { piece, body }: Body): void {
  if (hex(createHash("sha256").update(body)) !== piece.sha256)
    throw damaged(path, "a piece is not what its hash was made of");
}

const hex = (hash: Hash): string => hash.digest("hex");

const damaged = (path: string, why: string): AppError =>
  new AppError("usage", `The push is damaged at ${path}: ${why}`, "Push it again");
