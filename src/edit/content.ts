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
    else if ("file" in piece) yield* fs.chunks(piece.file, { start: piece.start, end: piece.end });
    else for (const hash of piece.blocks) if (vault) yield vault.get(hash);
  }
}
