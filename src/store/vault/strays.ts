/** Blocks under a wrong name or in a wrong folder: their bytes may be the last copy of a block that is missing. */
import { readIfThere, sizeIfThere } from "../../platform/fs/own-files.ts";
import { nameOf, STORED_SIZE, unpackAny } from "./block.ts";

export interface StrayBlocks {
  find(hash: string): { readonly path: string; readonly bytes: Buffer } | undefined;
}

/** Nothing is read before the first question. */
export function createStrayBlocks(paths: readonly string[]): StrayBlocks {
  let pathOf: Map<string, string> | undefined;
  return {
    find(hash) {
      pathOf ??= new Map(
        paths.flatMap((path) => {
          const bytes = open(path);
          return bytes ? [[nameOf(bytes), path] as const] : [];
        }),
      );
      const path = pathOf.get(hash);
      const bytes = path === undefined ? undefined : open(path);
      return path !== undefined && bytes && nameOf(bytes) === hash ? { path, bytes } : undefined;
    },
  };
}

function open(path: string): Buffer | undefined {
  try {
    if ((sizeIfThere(path) ?? 0) > STORED_SIZE.most) return undefined;
    const stored = readIfThere(path);
    return stored && unpackAny(stored);
  } catch {
    return undefined; // a folder, or a file that cannot be read
  }
}
