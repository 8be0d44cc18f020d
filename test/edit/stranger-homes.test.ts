/** Sessions that were written on other machines and systems, taken to where their folders are here. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { folderName } from "../../src/sources/claude-code/locate.ts";
import { createStrangerHome, type StrangerHome } from "../stranger-home.ts";
import { lookAtUser as lookAtAll } from "./vscode-home.ts";

const uuid = (number: number): string => `aaaaaaaa-0000-4000-8000-${String(number).padStart(12, "0")}`;
let home: StrangerHome;
beforeEach(() => {
  home = createStrangerHome();
});
afterEach(() => home.remove());

interface Listed {
  readonly sessions: { id: string; source: string; workspace: string | null; repository: string | null }[];
}
const json = <T>(...words: string[]): T => {
  const { code, stdout, stderr } = home.again(...words, "--json");
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as T;
};
const workspaces = (): Record<string, string | null> =>
  Object.fromEntries(json<Listed>("list").sessions.map(({ id, workspace }) => [id, workspace]));
/** The homes of the three programs, without the folders for backups that a write makes. */
const programs = () =>
  [".copilot/session-state", ".claude/projects", ".config/Code/User/workspaceStorage"].map((name) =>
    lookAtAll(join(home.path, name)),
  );

it("move from Windows by a map: each to the same place, whatever the case and the separators, and back", () => {
  const here = home.folder("work");
  home.folder("work/shop/api");
  home.copilot(uuid(1), "C:\\work\\shop", { edits: "c:\\Work\\shop\\api\\price.ts" });
  home.claude(uuid(2), "c:/Work/shop/api", { edits: "C:\\work\\shop\\price.ts" });
  home.vscode(uuid(3), "file:///c%3A/work/shop", { edits: "file:///c:/Work/shop/price.ts" });
  home.vscode(uuid(4), "file:///c%3A/work/gone");
  home.claude(uuid(5), "C:\\workshop");
  const before = programs();
  const plan = json<{ move: { folders: object[] }; sessions: object[]; losses: string[] }>(
    ...["move", "--map", `C:\\work=${here}`, "--dry-run"],
  );
  expect(plan.move.folders).toEqual([
    { from: "C:\\work\\shop", to: join(here, "shop"), sessionCount: 1, isHere: true },
    { from: "c:/Work/shop/api", to: join(here, "shop/api"), sessionCount: 1, isHere: true },
    { from: "c:\\work\\shop", to: join(here, "shop"), sessionCount: 1, isHere: true },
  ]);
  expect(plan.losses).toEqual([
    expect.stringContaining(`vscode:${uuid(4)}: ${join(here, "gone")} does not exist here`),
  ]);
  expect(programs()).toEqual(before);

  const { operation } = json<{ operation: string }>("move", "--map", `C:\\work=${here}`, "--yes");
  expect(workspaces()).toEqual({
    [uuid(1)]: join(here, "shop"),
    [uuid(2)]: join(here, "shop/api"),
    [uuid(3)]: join(here, "shop"),
    [uuid(4)]: "c:\\work\\gone",
    [uuid(5)]: "C:\\workshop",
  });
  const log = readFileSync(join(home.path, ".copilot/session-state", uuid(1), "events.jsonl"), "utf8");
  expect(log).toContain(JSON.stringify(join(here, "shop/api/price.ts")));
  const project = join(home.path, ".claude/projects", folderName(join(here, "shop/api")));
  expect(readFileSync(join(project, `${uuid(2)}.jsonl`), "utf8")).toContain(
    `"file_path":${JSON.stringify(join(here, "shop/price.ts"))}`,
  );
  const stores = join(home.path, ".config/Code/User/workspaceStorage");
  const chat = readdirSync(stores, { recursive: true, encoding: "utf8" }).find((name) =>
    name.includes(`${uuid(3)}.json`),
  );
  expect(
    JSON.parse(readFileSync(join(stores, chat ?? ""), "utf8")).requests[0].response.at(-1).uri.path,
  ).toBe(join(here, "shop/price.ts"));
  json("undo", operation, "--yes");
  expect(programs()).toEqual(before);
});

it("move from WSL and from connections, by the names that either side gives them; the nearest map counts", () => {
  const here = home.folder("me");
  home.folder("me/shop");
  home.folder("other/garden");
  home.claude(uuid(1), "/mnt/c/work/shop");
  home.copilot(uuid(2), "\\\\wsl$\\Ubuntu\\home\\me\\shop");
  home.vscode(uuid(3), "file://wsl.localhost/Ubuntu/home/me/shop");
  home.vscode(uuid(4), "vscode-remote://ssh-remote%2Bbig/home/me/garden");
  home.claude(uuid(5), "/workspaces/shop");
  const words = [
    ...["--map", `\\\\wsl.localhost\\Ubuntu\\home\\me=${here}`, "--map", `/mnt/c/work=${here}`],
    ...["--map", `vscode-remote://ssh-remote+big/home/me=${join(home.path, "other")}`],
    ...[
      "--map",
      `/workspaces=/srv`,
      "--map",
      `/workspaces/shop=${join(here, "shop")}`,
      "--map",
      "/Volumes=/x",
    ],
  ];
  const { losses } = json<{ losses: string[] }>("move", ...words, "--yes");
  expect(losses).toEqual([
    "addresses of files on ssh-remote+big, which still lead there",
    "sessions of /Volumes: there are none",
  ]);
  expect(workspaces()).toEqual({
    ...Object.fromEntries([1, 2, 3, 5].map((number) => [uuid(number), join(here, "shop")])),
    [uuid(4)]: join(home.path, "other/garden"),
  });
});

it("are refused maps that say nothing, and maps together with a folder", () => {
  for (const words of [
    ["--map", "C:\\work"],
    ["--map", "=C:\\work"],
    ["--map", "/=/home"],
    ["--map", "C:\\work=/home", "--to", "/x"],
    ["--map", "C:\\work=/home", "latest"],
  ])
    expect(JSON.parse(home.again("move", ...words, "--json").stdout).error.code, words.join(" ")).toBe(
      "usage",
    );
  const none = home.again("move", "--map", "C:\\work=/home", "--json");
  expect(JSON.parse(none.stdout).error).toMatchObject({
    code: "session-not-found",
    message: "No session belongs to C:\\work or a folder below it",
    hint: "See the folders of all sessions: rethread workspaces",
  });
});

it("are one project with the folder here where the repository is the same", () => {
  const here = home.folder("shop", "acme/shop");
  home.folder("shop/api");
  home.folder("garden", "acme/garden");
  // The repository is recorded on Windows, and known of the same folder by its other names.
  home.copilot(uuid(1), "C:\\work\\shop", { repository: "acme/shop", edits: "C:\\work\\shop\\Price.ts" });
  home.claude(uuid(2), "/mnt/c/work/shop", { edits: "/mnt/c/work/shop/price.ts" });
  home.vscode(uuid(3), "file:///c%3A/work/shop");
  // On a machine over a connection another session recorded it.
  home.copilot(uuid(4), "/workspaces/shop/api", { repository: "acme/shop" });
  // A container works in the folder here.
  const code = Buffer.from(JSON.stringify({ hostPath: here })).toString("hex");
  home.vscode(uuid(5), `vscode-remote://dev-container%2B${code}/workspaces/shop`);
  home.claude(uuid(6), here);
  home.copilot(uuid(7), "C:\\work\\garden", { repository: "acme/garden" });
  home.claude(uuid(8), "C:\\work\\unknown");
  const ids = (listed: Listed): string[] => listed.sessions.map(({ id }) => id).sort();
  const all = [1, 2, 3, 4, 5, 6].map(uuid);
  expect(ids(json<Listed>("list", "--repo", "acme/shop"))).toEqual(all);
  expect(ids(json<Listed>("list", "--workspace", here))).toEqual(all);
  expect(ids(json<Listed>("list", "--workspace", here, "--no-refresh"))).toEqual(all);
  // Of a folder in it those of the same folder, wherever that is.
  expect(ids(json<Listed>("list", "--workspace", join(here, "api")))).toEqual([uuid(4)]);
  expect(ids(json<Listed>("list", "--workspace", "c:/WORK/shop"))).toEqual([1, 2, 3].map(uuid));
  const found = json<{ hits: { session: { id: string } }[] }>("search", "copilot", "--workspace", here);
  expect(new Set(found.hits.map(({ session }) => session.id))).toEqual(new Set([1, 4].map(uuid)));
  const stats = json<{ totals: { sessions: number } }>("stats", "--workspace", here);
  expect(stats.totals.sessions).toBe(6);

  type Workspaces = { workspaces: { folder: string; repository: string | null; exists: boolean | null }[] };
  const places = json<Workspaces>("workspaces").workspaces.map(
    ({ folder, ...rest }) => [folder, rest] as const,
  );
  const of = new Map(places.map(([folder, { repository, exists }]) => [folder, [repository, exists]]));
  expect(of.get("C:\\work\\shop")).toEqual(["acme/shop", null]);
  expect(of.get("/mnt/c/work/shop")).toEqual(["acme/shop", null]);
  expect(of.get("/workspaces/shop/api")).toEqual(["acme/shop", null]);
  expect(of.get(here)).toEqual(["acme/shop", true]);
  const table = home.again("workspaces").stdout;
  expect(table).toContain("/workspaces/shop in a container");
  expect(table).not.toContain("gone");
});

it("wrote lines of files here: a clone elsewhere is told by the repository", () => {
  const here = home.folder("shop", "acme/shop");
  home.copilot(uuid(1), "C:\\work\\shop", {
    repository: "acme/shop",
    edits: "c:\\work\\Shop\\src\\Price.ts",
  });
  writeFileSync(join(home.folder("shop/src"), "price.ts"), "export const price = 1;\n");
  const { lines } = json<{ lines: { session: { id: string } | null }[] }>(
    "blame",
    join(here, "src/price.ts"),
  );
  expect(lines.map(({ session }) => session?.id)).toEqual([uuid(1)]);
});

it("are not taken for lost: doctor says where they are from, and how they come here", () => {
  home.claude(uuid(1), "C:\\work\\shop");
  home.claude(uuid(2), "C:\\work\\garden\\api");
  home.vscode(uuid(6), "file:///c%3A/Work/shop");
  home.copilot(uuid(3), "/mnt/c/work/shop");
  home.vscode(uuid(4), "vscode-remote://ssh-remote%2Bbig/home/me/shop");
  home.claude(uuid(5), join(home.path, "gone"));
  type Found = { problems: { code: string; source: string; message: string; fix: string | null }[] };
  const { problems } = JSON.parse(home.again("doctor", "--json").stdout) as Found;
  expect(
    problems.filter(({ code }) => code.startsWith("workspace-")).map(({ message, fix }) => [message, fix]),
  ).toEqual([
    [
      `the session belongs to ${join(home.path, "gone")}, which is gone; Claude Code lists it only there`,
      `rethread move --from ${join(home.path, "gone")} --to <folder>`,
    ],
    [
      "a session belongs to /mnt/c/work/shop, on another machine or system",
      "rethread move --map '/mnt/c/work/shop=<folder here>'",
    ],
    [
      "3 sessions belong to C:\\work or folders below it, on another machine or system",
      "rethread move --map 'C:\\work=<folder here>'",
    ],
  ]);
});

it("move all of a drive to where it is mounted, and refuse two places for one folder", () => {
  const here = home.folder("mnt/c");
  home.claude(uuid(1), "C:\\work\\shop", { edits: "c:\\Work\\shop\\price.ts" });
  home.claude(uuid(2), "D:\\work");
  for (const drive of ["C:\\", "c:", "C:/"])
    expect(
      json<{ move: { folders: object[] } }>("move", "--map", `${drive}=${here}`, "--dry-run").move.folders,
    ).toEqual([{ from: "C:\\work\\shop", to: join(here, "work/shop"), sessionCount: 1, isHere: false }]);
  json("move", "--map", `C:\\=${here}`, "--yes");
  expect(workspaces()).toEqual({ [uuid(1)]: join(here, "work/shop"), [uuid(2)]: "D:\\work" });
  const { code, stderr } = home.again("move", "--map", "D:\\work=/a", "--map", "d:/WORK/=/b", "--dry-run");
  expect([code, stderr]).toEqual([2, expect.stringContaining("cannot become both /a and /b")]);
});
