import fc from "fast-check";
import { expect, it } from "vitest";
import type { Piece } from "../../model/plan.ts";
import { createMemoryFs } from "../../platform/fs/memory.ts";
import { createPlannedFs } from "./planned-fs.ts";

const SOURCE = "0123456789abcdefghijklmnopqrstuvwxyz";

it("gives any part of a planned file as if it were there", async () => {
  const fs = createMemoryFs({ "/source": SOURCE });
  const piece: fc.Arbitrary<Piece> = fc.oneof(
    fc.string({ maxLength: 5, unit: "binary" }).map((text) => ({ text })),
    fc.string({ maxLength: 5 }).map((text) => ({ base64: Buffer.from(text).toString("base64") })),
    fc
      .tuple(fc.nat(36), fc.nat(36))
      .map(([a, b]) => ({ file: "/source", start: Math.min(a, b), end: Math.max(a, b) })),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 8 }),
      fc.nat(60),
      fc.option(fc.nat(60), { nil: undefined }),
      async (pieces, start, end) => {
        const whole = Buffer.concat(
          pieces.map((each) =>
            "text" in each
              ? Buffer.from(each.text)
              : "base64" in each
                ? Buffer.from(each.base64, "base64")
                : "file" in each
                  ? Buffer.from(SOURCE.slice(each.start, each.end))
                  : Buffer.alloc(0),
          ),
        );
        const entry = {
          kind: "file" as const,
          path: "/made",
          mode: 0,
          mtimeMs: 0,
          size: whole.length,
          pieces,
        };
        const planned = createPlannedFs(fs, [{ does: "place", path: "/made", entries: [entry] }]);
        const range = { start, ...(end !== undefined && { end }) };
        expect(Buffer.from(await planned.read("/made", range))).toEqual(
          whole.subarray(start, end === undefined ? undefined : Math.max(start, end)),
        );
      },
    ),
    { numRuns: 200, seed: 20261116 },
  );
});
