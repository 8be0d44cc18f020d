/** The bytes of a planned file, in pieces small enough for any memory. */
import type { Piece } from "../model/plan.ts";
import type { SessionFs } from "../platform/session-fs.ts";
import type { Vault } from "../store/vault.ts";

export interface Sources {
  readonly fs: Pick<SessionFs, "chunks">;
  readonly vault?: Pick<Vault, "get">;
}

export async function* contentOf(
  pieces: readonly Piece[],
  { fs, vault }: Sources,
): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if ("text" in piece) yield Buffer.from(piece.text);
    else if ("base64" in piece) yield Buffer.from(piece.base64, "base64");
    else if ("file" in piece) yield* rangeOf(piece, fs);
    else for (const hash of piece.blocks) if (vault) yield vault.get(hash);
  }
}

async function* rangeOf(
  { file, start, end, oneLine = false }: Extract<Piece, { file: string }>,
  fs: Sources["fs"],
): AsyncGenerator<Uint8Array> {
  for await (const chunk of fs.chunks(file, { start, end })) yield oneLine ? onOneLine(chunk) : chunk;
}

const [FEED, RETURN, SPACE] = [10, 13, 32];

/** In a copy: the chunk belongs to whoever reads. */
const onOneLine = (chunk: Uint8Array): Uint8Array =>
  chunk.map((byte) => (byte === FEED || byte === RETURN ? SPACE : byte));
