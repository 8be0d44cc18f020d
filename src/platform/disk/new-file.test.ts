import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { foreign, giveAll, IS_ROOT } from "../../../test/owners.ts";
import { createNewFile } from "./new-file.ts";

describe("createNewFile", () => {
  let folder = "";
  const path = () => join(folder, "deep", "page.md");
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "rethread-new-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("leaves nothing behind when Ctrl-C ends the process, or the process itself", () => {
    const program = new URL("./new-file.ts", import.meta.url).href;
    const ways = {
      SIGINT: "process.kill(process.pid, 'SIGINT'); setTimeout(() => {}, 60_000)",
      exit: "process.exit(3)",
    };
    const scratch = new URL("./scratch-file.ts", import.meta.url).href;
    const ends = Object.entries(ways).map(([name, end]) => {
      const script = `const { createNewFile } = await import(${JSON.stringify(program)});
        const file = createNewFile(${JSON.stringify(path())}, { replace: false });
        const { createScratchFile } = await import(${JSON.stringify(scratch)});
        createScratchFile(${JSON.stringify(join(folder, "deep"))}).write("x");
        file.write("x".repeat(1 << 19)); ${end};`;
      const { signal, status } = spawnSync(process.execPath, ["--input-type=module", "-e", script]);
      return [name, signal ?? status, readdirSync(join(folder, "deep"))];
    });
    expect(ends).toEqual([
      ["SIGINT", "SIGINT", []],
      ["exit", 3, []],
    ]);
  });

  it("lets others decide what a signal means, and listens only while it writes", async () => {
    // A module of its own: another test may have left a file unfinished in the one that they share.
    vi.resetModules();
    const { createNewFile } = await import("./new-file.ts");
    const listeners = () => process.listenerCount("SIGINT");
    const before = listeners();
    const file = createNewFile(path(), { replace: false });
    expect(listeners()).toBe(before + 1);
    const other = () => undefined;
    process.on("SIGINT", other);
    process.emit("SIGINT", "SIGINT");
    process.off("SIGINT", other);
    file.finish();
    expect([listeners(), readdirSync(join(folder, "deep"))]).toEqual([before, ["page.md"]]);
  });

  it("appears whole, in a folder that it makes, and leaves nothing beside it", () => {
    const file = createNewFile(path(), { replace: false });
    file.write("one ");
    file.write("x".repeat(1 << 19));
    expect(readdirSync(join(folder, "deep")).includes("page.md")).toBe(false);
    file.finish();
    expect(readdirSync(join(folder, "deep"))).toEqual(["page.md"]);
    expect(readFileSync(path(), "utf8")).toBe(`one ${"x".repeat(1 << 19)}`);
  });

  it("never takes the place of another file, even one that came meanwhile", () => {
    const file = createNewFile(path(), { replace: false });
    writeFileSync(path(), "theirs");
    expect(() => file.finish()).toThrow(expect.objectContaining({ code: "EEXIST" }));
    expect(readFileSync(path(), "utf8")).toBe("theirs");
    expect(readdirSync(join(folder, "deep"))).toEqual(["page.md"]);
  });

  it("takes its place when that is asked for", () => {
    for (const text of ["old", "new"]) {
      const file = createNewFile(path(), { replace: true });
      file.write(text);
      file.finish();
    }
    expect(readFileSync(path(), "utf8")).toBe("new");
  });

  it.skipIf(process.platform === "win32")("keeps owner and mode of the file that it replaces", () => {
    createNewFile(path(), { replace: true, mode: 0o600 }).finish();
    chmodSync(path(), 0o640);
    giveAll(path());
    createNewFile(path(), { replace: true, mode: 0o600 }).finish();
    expect(foreign(path())).toEqual([]);
    expect(lstatSync(path()).mode & 0o777).toBe(0o640);
  });

  it.runIf(IS_ROOT)("belongs to the owner of the folder when root makes it", () => {
    giveAll(folder);
    createNewFile(path(), { replace: false }).finish();
    expect(foreign(folder)).toEqual([]);
  });

  it.skipIf(process.platform === "win32")("writes to a pipe or a device, and never takes its place", () => {
    mkdirSync(join(folder, "deep"));
    execFileSync("mkfifo", [path()]);
    const reader = openSync(path(), constants.O_RDONLY | constants.O_NONBLOCK);
    const file = createNewFile(path(), { replace: true });
    file.write("through");
    file.finish();
    expect(readFileSync(reader, "utf8")).toBe("through");
    closeSync(reader);
    expect(lstatSync(path()).isFIFO()).toBe(true);
  });

  it.skipIf(process.platform === "win32")("goes where a link leads, but replaces no folder there", () => {
    const at = (name: string): string => join(folder, name);
    writeFileSync(at("old.md"), "old");
    mkdirSync(at("folder"));
    for (const name of ["old.md", "folder"]) symlinkSync(name, at(`${name}-link`));
    for (const name of ["folder", "folder-link"])
      expect(() => createNewFile(at(name), { replace: true })).toThrow(/^EISDIR: it is a folder/);
    const file = createNewFile(at("old.md-link"), { replace: true });
    file.write("new");
    file.finish();
    expect(readlinkSync(at("old.md-link"))).toBe("old.md");
    expect(readFileSync(at("old.md"), "utf8")).toBe("new");
    expect(readdirSync(at("folder"))).toEqual([]);
  });

  it("leaves nothing beside its place when that cannot be taken", () => {
    const file = createNewFile(path(), { replace: true });
    mkdirSync(join(path(), "inside"), { recursive: true });
    expect(() => file.finish()).toThrow();
    expect(readdirSync(join(folder, "deep"))).toEqual(["page.md"]);
  });

  it.skipIf(process.platform === "win32")("fails where no folder can be made", () => {
    writeFileSync(join(folder, "file"), "");
    for (const place of [
      join(folder, "file"),
      ...(process.platform === "linux" ? ["/proc/rethread/deep"] : []),
    ])
      expect(() => createNewFile(join(place, "page.md"), { replace: true })).toThrow(
        /^(ENOTDIR|ENOENT|EACCES)/,
      );
  });

  it("leaves nothing when it is given up", () => {
    const file = createNewFile(path(), { replace: false });
    file.write("half");
    file.discard();
    expect(readdirSync(join(folder, "deep"))).toEqual([]);
  });
});
