/** Which files are read for others, who have no better reason than what stands in logs that anybody may have written. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isSecretFile } from "../../src/model/values/secret-files.ts";
import { isSystemFolder } from "../../src/model/values/system-folders.ts";
import { startMcp } from "../mcp/test-mcp.ts";
import { type Asking, createAsking } from "./asking.ts";
import { git } from "./history.ts";
import { copilotSession, homeVars, newId } from "./sessions.ts";

let asking: Asking;
let root: string;
beforeEach(() => {
  asking = createAsking();
  root = asking.home.workspace;
  mkdirSync(root, { recursive: true });
});
afterEach(() => asking.remove());

const put = (path: string, text = "secret\n"): string => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
};
/** A log that claims to have written a file, in a folder of its choice. */
function claim(path: string, workspace = root): void {
  const session = copilotSession({ ...asking.home, workspace }, newId());
  session.prompt("Write it");
  session.use({ name: "create", input: { path, file_text: "secret\n" }, ok: true });
  session.save();
}
const refused = async (path: string): Promise<void> => {
  await expect(asking.blame(path), path).rejects.toMatchObject({ code: "file-refused" });
  // Who is at the machine needs nobody's leave.
  expect((await asking.blame(path, { here: root })).total).toBeGreaterThan(0);
};
const told = async (path: string): Promise<void> =>
  expect((await asking.blame(path)).total, path).toBeGreaterThan(0);

describe("a claim in a log", () => {
  it("opens no file outside of the folders of sessions", async () => {
    const outside = put(join(asking.home.folder, "elsewhere.txt"));
    claim(outside);
    claim("/etc/passwd");
    await refused(outside);
    await refused("/etc/passwd");
    await refused(join(root, "../../elsewhere.txt"));
  });

  it("opens neither the system nor a home by calling it its folder", async () => {
    const person = join(asking.home.folder, "person");
    const key = put(join(person, "notes/key.txt"));
    for (const folder of ["/", "/etc", person, dirname(person), join(person, ".config/app")])
      claim(join(folder, "x"), folder);
    await refused("/etc/passwd");
    await refused(key);
    await refused(put(join(person, ".config/app/settings.json")));
    await refused(put(join(person, "loose.txt")));
    claim(key, dirname(key));
    await told(key);
  });

  it("opens neither our own folder nor an agent's", async () => {
    const ours = put(join(asking.home.folder, "data/own.txt"));
    const theirs = put(join(asking.home.folder, "copilot/config.txt"));
    claim(ours, dirname(ours));
    claim(theirs, dirname(theirs));
    await refused(ours);
    await refused(theirs);
  });

  it("opens no folder for secrets by calling it its folder", async () => {
    git(root, "init", "-q");
    claim(join(root, ".git/config"), join(root, ".git"));
    await refused(join(root, ".git/config"));
    const key = put(join(asking.home.folder, "elsewhere/.ssh/config"));
    claim(key, dirname(key));
    await refused(key);
  });

  it("is not helped by links, in the path or in the folder that it names", async () => {
    claim(put(join(root, "a.ts")));
    const outside = put(join(asking.home.folder, "outside/secret.txt"));
    symlinkSync(outside, join(root, "link.txt"));
    symlinkSync(dirname(outside), join(root, "linked"));
    await refused(join(root, "link.txt"));
    await refused(join(root, "linked/secret.txt"));
    const etc = join(asking.home.folder, "work/etc");
    symlinkSync("/etc", etc);
    claim(join(etc, "passwd"), etc);
    await refused(join(etc, "passwd"));
  });
});

describe("a folder of work", () => {
  it("is that of a session, and the work tree around it", async () => {
    git(root, "init", "-q");
    claim(join(root, "packages/cart/a.ts"), join(root, "packages/cart"));
    mkdirSync(join(root, "packages/cart"), { recursive: true });
    await told(put(join(root, "packages/cart/a.ts")));
    await told(put(join(root, "lib/b.ts")));
    await refused(put(join(dirname(root), "other/c.ts")));
  });

  it("keeps to itself what git was told to leave alone, and what is there for secrets", async () => {
    git(root, "init", "-q");
    claim(put(join(root, "a.ts")));
    put(join(root, ".gitignore"), "*.local\nbuild/\n");
    for (const name of [
      "settings.local",
      "build/out.js",
      ".env",
      "deploy/id_rsa",
      ".git/description",
      "certs/tls.key",
    ])
      await refused(put(join(root, name), "secret\n"));
    for (const name of [".gitignore", ".env.example", "src/env.ts", "keyboard.ts"])
      await told(put(join(root, name), "no secret\n"));
  });

  it("is the same for the tools of agents", async () => {
    claim("/etc/passwd");
    claim(put(join(root, "a.ts")));
    put(join(root, ".env"));
    const mcp = await startMcp({ vars: () => homeVars(asking.home.folder) });
    try {
      for (const file of ["/etc/passwd", join(root, ".env"), `${root}/a\0.ts`]) {
        const text = await mcp.fail("blame", { file });
        expect(text).not.toMatch(/root:|secret\n|must be a string/);
      }
      expect(await mcp.call("blame", { file: join(root, "a.ts") })).toContain("1: secret");
      git(root, "init", "-q");
      writeFileSync(join(root, ".git/config"), "[broken");
      const text = await mcp.call("blame", { file: put(join(root, "a.ts"), "by hand\n") });
      expect(text).toMatch(/committed is not known, as git gave no answer/);
      expect(text).toContain("git: git could not be asked (bad config line");
      expect(text).not.toContain("not committed");
      expect(await mcp.call("standup", { since: "2026-09-01" })).toMatch(
        new RegExp(`git: ${root}: git could not be asked \\(bad config`),
      );
    } finally {
      await mcp.close();
    }
  });
});

it.each([
  ["/", true],
  ["C:\\", true],
  ["/home/ada", true],
  ["/Users/ada/", true],
  ["/etc/app", true],
  ["c:\\windows\\system32", true],
  ["/tmp", true],
  ["/tmp/shop", false],
  ["/home/ada/shop", false],
  ["/workspace", false],
  ["/Users/ada/Library/Keychains", true],
  ["/Users/ada/Library/CloudStorage/Box/shop", false],
  ["C:\\Users\\ada\\AppData\\Roaming\\gh", true],
  ["C:\\Users\\ada\\AppData\\Local\\Temp\\shop", false],
  ["/etcetera", false],
])("is %s the system's: %s", (path, is) => expect(isSystemFolder(path)).toBe(is));

it.each([
  [".env", true],
  ["a/.ENV.production", true],
  [".env.example", false],
  ["a/.ssh/config", true],
  ["src/keys.ts", false],
  ["server.pem", true],
  ["config/credentials.json", true],
  ["src/secrets.test.ts", false],
])("is %s for secrets: %s", (path, is) => expect(isSecretFile(path)).toBe(is));
