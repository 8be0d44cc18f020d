import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { makeTemporaryFolder, temporaryPlaces } from "./temporary.ts";

afterEach(() => vi.unstubAllEnvs());

it("takes another place where TMPDIR names none", () => {
  const gone = mkdtempSync(join(tmpdir(), "rethread-gone-"));
  rmSync(gone, { recursive: true });
  vi.stubEnv("TMPDIR", gone);
  expect(temporaryPlaces()[0]).toBe(gone);
  const made = makeTemporaryFolder();
  rmSync(made, { recursive: true });
  expect(temporaryPlaces().slice(1)).toContain(dirname(made));
});
