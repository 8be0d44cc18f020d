import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { localFs } from "../../../../platform/fs/local.ts";
import { findTarget, toWorkspace } from "./target.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "rethread-target-"));
  mkdirSync(storage("0123456789abcdef0123456789abcdef"), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const storage = (id: string): string => join(home, "User", "workspaceStorage", id);
const artifact = () => ({
  source: "vscode" as const,
  id: "s",
  root: join(home, "User"),
  path: join(storage("0123456789abcdef0123456789abcdef"), "chatSessions", "s.jsonl"),
  fingerprint: { size: 0, mtimeMs: 0, ino: 0 },
});
const md5 = (text: string): string => createHash("md5").update(text).digest("hex");

describe("the workspace that a copy goes to", () => {
  it("is the original's own when none is named", async () => {
    expect(await findTarget(localFs, artifact())).toMatchObject({
      home: { folder: storage("0123456789abcdef0123456789abcdef") },
      isElsewhere: false,
    });
  });

  it.runIf(process.platform === "linux")("goes by the id that VS Code computes for a folder", async () => {
    const folder = join(home, "my shop");
    mkdirSync(folder);
    const id = md5(`${folder}${statSync(folder).ino}`);
    const uri = `file://${encodeURI(folder)}`;
    expect(await findTarget(localFs, artifact(), folder)).toMatchObject({
      home: { folder: storage(id) },
      isElsewhere: true,
      unopened: { folder: uri },
    });
    mkdirSync(storage(id));
    expect(await findTarget(localFs, artifact(), folder)).not.toHaveProperty("unopened");
  });

  it("is not made ready where the list is kept in a browser, which has other ids", async () => {
    const [folder, chats] = [join(home, "shop"), join(storage("-14504d58"), "chatSessions")];
    for (const path of [folder, chats]) mkdirSync(path, { recursive: true });
    await expect(findTarget(localFs, artifact(), folder)).rejects.toMatchObject({ code: "not-supported" });
    writeFileSync(join(storage("0123456789abcdef0123456789abcdef"), "state.vscdb"), "");
    expect(await findTarget(localFs, artifact(), folder)).toHaveProperty("unopened");
  });

  it("may be named by its id or by a file that lists folders, and by nothing that leads elsewhere", async () => {
    const file = join(home, "all.code-workspace");
    writeFileSync(file, "{}");
    const named = (text: string) => toWorkspace(localFs, artifact(), text, home);
    expect(await named("0123456789abcdef0123456789abcdef")).toBe("0123456789abcdef0123456789abcdef");
    expect(await named("all.code-workspace")).toBe(file);
    for (const text of ["..", ".", "../workspaceStorage", "0123", "none.code-workspace", "/", ""])
      expect(await named(text), text).toBeUndefined();
    const { home: found } = await findTarget(localFs, artifact(), file);
    if (process.platform === "linux") expect(found.folder).toBe(storage(md5(file)));
  });
});
