/** How long backups stay, as a person sees and decides it. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createHome, type Home, line, start } from "./home.ts";

const ID = "5e551011-aaaa-4bbb-8ccc-000000000001";
const BEGAN = new Date("2026-11-01T10:00:00.000Z");
let home: Home;
beforeAll(() => {
  home = createHome();
  home.session(ID, [start(ID, BEGAN), line("user.message", { content: "Paint it" }, BEGAN, 1)], {
    name: "Shed",
  });
});
afterAll(() => home.remove());

const json = (at: Home, ...words: string[]) => {
  const { stdout, code } = at.again(...words, "--json");
  return { code, ...JSON.parse(stdout) };
};

it("keeps a backup until its write is confirmed, lets it go when asked, and says that it is gone", () => {
  const { operation } = json(home, "rename", ID, "Barn", "--yes");
  const none = home.with({ RETHREAD_BACKUP_BYTES: "0" });
  expect(json(none, "history", "--prune", "--yes").pruned).toMatchObject({ operations: [], freed: 0 });
  expect(home.again("history").stdout).toMatch(
    / rename +done +.* confirmed\n\n1 write; backups take \d+ B\.\n/,
  );

  expect(json(home, "history", "--confirm", operation.slice(0, 6))).toMatchObject({ confirmed: [operation] });
  const { writes, backups } = json(none, "history");
  expect(writes).toMatchObject([{ operation, confirmed: true, backup: { files: 1 } }]);
  expect(backups).toMatchObject({ days: 90, bytes: 0, prunable: { operations: [operation], left: 0 } });

  expect(json(none, "history", "--prune", "--dry-run").pruned.operations).toEqual([operation]);
  expect(json(none, "history", "--prune")).toMatchObject({ code: 2, error: { code: "needs-yes" } });
  expect(json(none, "history", "--prune", "--yes").pruned.operations).toEqual([operation]);
  expect(json(home, "history").writes).toMatchObject([{ backup: { files: 0, until: "gone" } }]);
  expect(json(home, "undo", operation, "--yes")).toMatchObject({ code: 4, error: { code: "not-undoable" } });
});

it("refuses both at once, and a write that nobody knows", () => {
  expect(json(home, "history", "--prune", "--confirm", "all")).toMatchObject({
    code: 2,
    error: { code: "usage" },
  });
  expect(json(home, "history", "--confirm", "zzz")).toMatchObject({ error: { code: "operation-not-found" } });
});

it("verifies all backups, tells what a damaged one is for, repairs it, and exits by what is left", () => {
  const { operation } = json(home, "rename", ID, "Stable", "--yes");
  expect(home.again("history", "--verify").stdout).toMatch(
    /^All backups and archived copies are intact: \d+ block/,
  );
  const [block = ""] = readdirSync(join(home.dataHome, "vault"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const good = readFileSync(block);
  writeFileSync(block, good.subarray(0, 4));
  const found = { block: basename(block), operations: [operation], sessions: [{ id: ID }], copy: null };
  const page = home.again("history", "--verify", "--repair");
  expect(page.code).toBe(1);
  expect(page.stdout).toContain(`backup of ${operation}: rename "Barn"`);
  expect(page.stdout).toContain("no other copy of these bytes was found");
  const { problems } = json(home, "doctor");
  expect(problems).toMatchObject([
    { code: "backup-damaged", session: ID, fix: "rethread history --verify --repair" },
  ]);
  const astray = join(dirname(block), "astray");
  writeFileSync(astray, good);
  const repaired = json(home, "history", "--verify", "--repair");
  expect(repaired).toMatchObject({
    code: 0,
    verified: { bad: [{ ...found, copy: astray, repaired: true }], strays: [astray] },
  });
});

it("names a copy beside its id as it is called itself", () => {
  for (const words of [
    ["clone", ID],
    ["handoff", ID, "--to", "claude-code", "--workspace", home.path],
  ]) {
    const { session } = json(home, ...words, "--name", `My ${words[0]}`);
    expect(json(home, "history").writes[0]).toMatchObject({
      session,
      title: `My ${words[0]}`,
      from: { id: ID },
    });
  }
  for (const title of ["My handoff", "My clone"]) {
    expect(json(home, "undo", "--yes").code).toBe(0);
    expect(json(home, "history").writes[0]).toMatchObject({ kind: "undo", title });
  }
});
