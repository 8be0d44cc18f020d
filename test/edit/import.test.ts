/** Sessions that come from elsewhere, through the one write path: whole or not at all, and never over what is there. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { scratchFolder } from "../../src/app/edit/import.ts";
import { exportBundle } from "../../src/app/export/bundle.ts";
import { readHead } from "../../src/query/heads.ts";
import { resolveSession } from "../../src/query/resolve.ts";
import { bundleOf } from "./bundle.ts";
import { hashTail } from "./guard.ts";
import { createEditHome, type EditHome, ID, lookAtAll } from "./home.ts";
import { NOW } from "./source-homes.ts";

let home: EditHome;
let bundle: string;
beforeEach(async () => {
  home = createEditHome();
  bundle = await bundleOf(home);
});
afterEach(() => home.remove());

const folder = (id = ID): string => join(home.copilot, "session-state", id);
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "none",
    (error: { code: string }) => error.code,
  );
const startOf = (id: string) =>
  JSON.parse(readFileSync(join(folder(id), "events.jsonl"), "utf8").split("\n", 1)[0] ?? "");

describe("an import", () => {
  it("brings back every file with its bytes, mode and time, and undo takes it away again", async () => {
    const before = lookAtAll(folder());
    rmSync(home.copilot, { recursive: true });
    const edit = home.edit();
    const { plan } = await edit.apply(await edit.planImport(bundle, {}));
    const files = (all: Record<string, string>) =>
      Object.entries(all).filter(([, look]) => look.startsWith("file"));
    expect(files(lookAtAll(folder()))).toEqual(files(before).filter(([name]) => !/shm|\.lock$/.test(name)));
    expect(plan).toMatchObject({ kind: "import", session: { id: ID }, expected: { turns: 3 } });
    await edit.apply(await edit.planUndo());
    expect(readdirSync(join(home.copilot, "session-state"))).toEqual([]);
    edit.close();
    expect(readdirSync(scratchFolder(home.data))).toEqual([]);
  });

  it("does nothing where the session is here already, and refuses to put another over it", async () => {
    const before = lookAtAll(home.copilot);
    const edit = home.edit();
    expect((await edit.planImport(bundle, {})).steps).toEqual([]);
    appendFileSync(join(folder(), "events.jsonl"), "{}\n");
    expect(await codeOf(edit.planImport(bundle, {}))).toBe("session-exists");
    const { plan } = await edit.apply(await edit.planImport(bundle, { newId: true }));
    expect(startOf(plan.session.id).data.sessionId).toBe(plan.session.id);
    expect(parse(readFileSync(join(folder(plan.session.id), "workspace.yaml"), "utf8"))).toMatchObject({
      id: plan.session.id,
      name: 'Say "one"\nand more',
    });
    rmSync(folder(plan.session.id), { recursive: true });
    expect(Object.keys(lookAtAll(home.copilot))).toEqual(Object.keys(before));
  });

  it("changes only the lines that say id, name and folder", async () => {
    const edit = home.edit();
    mkdirSync(join(home.copilot, "..", "other"));
    const plan = await edit.planImport(bundle, { newId: true, name: "Another", to: "other" });
    await edit.apply(plan);
    const { id } = plan.session;
    const lines = (each: string): string[] =>
      readFileSync(join(folder(each), "events.jsonl"), "utf8")
        .split("\n")
        .slice(1);
    expect(lines(id)).toEqual(lines(ID));
    expect(startOf(id).data).toMatchObject({
      sessionId: id,
      startTime: startOf(ID).data.startTime,
      context: { cwd: join(home.copilot, "..", "other") },
    });
    expect(readFileSync(join(folder(id), "workspace.yaml"), "utf8")).toContain(
      "name: Another\nuser_named: true\n",
    );
  });

  it("takes several sessions in together, and those that are here already not again", async () => {
    const edit = home.edit();
    const ids = [ID];
    for (const name of ["Two", "Three"])
      ids.push((await edit.apply(await edit.planClone(ID, { name }))).plan.session.id);
    const { artifacts } = await home.catalog.scan();
    const heads = await Promise.all(artifacts.map((artifact) => readHead(home.catalog, artifact)));
    const request = {
      out: "all.tar.gz",
      folder: join(home.copilot, ".."),
      force: false,
      guard: hashTail(home.catalog, home.data),
      now: NOW,
      madeBy: "test",
    };
    const { path } = await exportBundle(home.catalog, heads, request);
    for (const id of ids.slice(1)) rmSync(folder(id), { recursive: true });
    const plan = await edit.planImport(path, {});
    expect(plan.title).toBe("2 of 3 sessions");
    await edit.apply(plan);
    expect(
      readdirSync(join(home.copilot, "session-state"))
        .filter((name) => name !== ".session-operation-locks")
        .sort(),
    ).toEqual([...ids].sort());
    expect((await edit.planImport(path, {})).steps).toEqual([]);
    expect(await codeOf(edit.planImport(path, { name: "One name" }))).toBe("usage");
    await edit.apply(await edit.planUndo());
    expect(existsSync(folder(ids[1]))).toBe(false);
  });

  it("writes nothing of what it cannot trust, and leaves nothing lying about", async () => {
    rmSync(folder(), { recursive: true });
    const before = lookAtAll(home.copilot);
    const edit = home.edit();
    const whole = readFileSync(bundle);
    const tar = gunzipSync(whole);
    const spoiled = Buffer.from(tar);
    spoiled.write("X", tar.indexOf('"session.start"'));
    const cases: [string, Uint8Array][] = [
      ["bundle-damaged", whole.subarray(0, whole.length - 200)],
      ["bundle-damaged", gzipSync(tar.subarray(0, tar.length - 2048))],
      ["bundle-damaged", gzipSync(spoiled)],
      ["bundle-unknown", gzipSync("something else")],
      ["bundle-unknown", Buffer.from("just a text\n")],
      ["transcript-invalid", Buffer.from('{"type":"session","version":1}\n')],
    ];
    for (const [code, bytes] of cases) {
      writeFileSync(bundle, bytes);
      expect(await codeOf(edit.planImport(bundle, {}))).toBe(code);
    }
    expect(await codeOf(edit.planImport("nowhere.tar.gz", {}))).toBe("usage");
    expect(lookAtAll(home.copilot)).toEqual(before);
    expect(readdirSync(scratchFolder(home.data))).toEqual([]);
  });

  it("brings all files of a session, also those behind links and deep down, and the export says what it could not", async () => {
    const elsewhere = join(home.copilot, "..", "elsewhere");
    const deep = `files/${"a/".repeat(20)}deep.txt`;
    mkdirSync(join(folder(), deep, ".."), { recursive: true });
    writeFileSync(join(folder(), deep), "deep");
    mkdirSync(join(elsewhere, "notes"), { recursive: true });
    writeFileSync(join(elsewhere, "notes/one.md"), "one");
    renameSync(join(folder(), "plan.md"), join(elsewhere, "plan.md"));
    symlinkSync(join(elsewhere, "plan.md"), join(folder(), "plan.md"));
    symlinkSync(join(elsewhere, "notes"), join(folder(), "files/notes"));
    symlinkSync("../..", join(folder(), "files/circle"));
    symlinkSync("nowhere", join(folder(), "files/lost"));
    writeFileSync(join(folder(), "files/line\nbreak"), "");
    writeFileSync(join(folder(), "files/back\\slash"), "");
    // The folder itself is a link, and its name is nobody's UUID.
    renameSync(folder(), join(elsewhere, "session"));
    symlinkSync(join(elsewhere, "session"), folder("my session"));
    const head = await readHead(home.catalog, (await resolveSession(home.catalog, "my session")).artifact);
    const guard = hashTail(home.catalog, home.data);
    const request = {
      out: "all.tar.gz",
      folder: join(home.copilot, ".."),
      force: true,
      guard,
      now: NOW,
      madeBy: "test",
    };
    const { path, losses } = await exportBundle(home.catalog, [head], request);
    const at = (name: string): string => join(folder("my session"), "files", name);
    expect(losses.map((loss) => loss.split(", because ")[0]).sort()).toEqual(
      ["back\\slash", "circle", "line\nbreak", "lost"].map(at).sort(),
    );
    rmSync(folder("my session"));
    const edit = home.edit();
    await edit.apply(await edit.planImport(path, {}));
    for (const [name, text] of [
      [deep, "deep"],
      ["plan.md", "# Plan\n"],
      ["files/notes/one.md", "one"],
    ] as const)
      expect(readFileSync(join(folder("my session"), name), "utf8")).toBe(text);
    edit.close();
  });

  it("is not carried out when the file it was made from is another by then", async () => {
    rmSync(folder(), { recursive: true });
    writeFileSync(bundle, gunzipSync(readFileSync(bundle)));
    const edit = home.edit();
    const plan = await edit.planImport(bundle, {});
    appendFileSync(bundle, "more");
    expect(await codeOf(edit.apply(plan))).toBe("session-changed");
    expect(existsSync(folder())).toBe(false);
  });
});
