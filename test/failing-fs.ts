/** A SessionFs whose writes fail as they are told to: before, half-way, after all of it, or never answering. */
import type { SessionFs } from "../src/platform/fs/session-fs.ts";

/** What becomes of one append; a number is the share that gets through before it fails. */
export type Fate = "works" | "hangs" | number;

export interface FailingFs {
  readonly fs: SessionFs;
  /** What becomes of the next appends; without any more, they work. */
  fates: Fate[];
  /** How many appends were asked for. */
  appends(): number;
}

export function createFailingFs(inner: SessionFs, fates: Fate[] = []): FailingFs {
  let appends = 0;
  const failing: FailingFs = {
    fates,
    appends: () => appends,
    fs: {
      ...inner,
      async append(path, data) {
        appends++;
        const fate = failing.fates.shift() ?? "works";
        if (fate === "hangs") return new Promise(() => undefined);
        const bytes = Buffer.from(data as string);
        const share = fate === "works" ? 1 : fate;
        if (share > 0) await inner.append(path, bytes.subarray(0, Math.floor(bytes.length * share)));
        if (fate !== "works")
          throw Object.assign(new Error(`ENOSPC: no space left on device, write`), { code: "ENOSPC" });
      },
    },
  };
  return failing;
}
