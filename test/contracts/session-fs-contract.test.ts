/** What every SessionFs must do, on the disk and in memory. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { localFs } from "../../src/platform/fs/local.ts";
import { createMemoryFs } from "../../src/platform/fs/memory.ts";
import { describeSessionFs } from "./session-fs-suite.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-fs-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const memory = createMemoryFs();

describeSessionFs("local", () => ({ fs: localFs, base: folder }));
describeSessionFs("memory", () => ({ fs: memory, base: "/provider" }));
