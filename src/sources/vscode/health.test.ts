import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { log, sessionOf, turn } from "../../../test/vscode-log.ts";
import { fixOf, type Problem } from "../../model/problem.ts";
import { localFs } from "../../platform/fs/local.ts";
import { idOf } from "./edit/copy/target.ts";
import { diagnose } from "./health.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "rethread-examine-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (path: string, content = ""): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
};
const REMOTE = "https://github.com/owner/shop.git";

/** A chat about two files of a folder, in a store of its own. */
function chat(id: string, folder: string, more: object = {}): void {
  const uri = (name: string) => ({ $mid: 1, scheme: "file", path: join(root, folder, name) });
  const about = turn("Go", [{ kind: "textEditGroup", uri: uri("src/a.ts"), edits: [] }], {
    contentReferences: [{ kind: "reference", reference: uri("src/b.ts") }],
  });
  put(
    `User/workspaceStorage/${id}/chatSessions/${id}.jsonl`,
    log({ kind: 0, v: { ...sessionOf(about), ...more } }),
  );
  put(
    `User/workspaceStorage/${id}/workspace.json`,
    JSON.stringify({ folder: `file://${join(root, folder)}` }),
  );
}
const repository = (folder: string): void =>
  put(`${folder}/.git/config`, `[remote "origin"]\n\turl = ${REMOTE}\n`);

async function look(): Promise<Pick<Problem, "code" | "session" | "message" | "fix">[]> {
  const problems: Problem[] = [];
  await diagnose(localFs, join(root, "User"), { problem: (problem) => void problems.push(problem) });
  return problems.map((problem) => {
    const { code, session, message } = problem;
    const fix = fixOf(problem);
    return {
      code,
      ...(session !== undefined && { session }),
      message: message.replaceAll(root, ""),
      ...(fix !== undefined && { fix: fix.replaceAll(root, "") }),
    };
  });
}
const moved = (to: string, why: string): object[] => [
  {
    code: "workspace-missing",
    session: "s",
    message: `the folder /shop is gone or was renamed, so VS Code no longer finds its chats; it may be ${to} now (${why})`,
    fix: `rethread move --from /shop --to ${to}`,
  },
];

describe("a folder that is gone", () => {
  it("is looked for by its git remote, however that is written", async () => {
    chat("s", "shop", { repoData: { remoteUrl: "git@github.com:owner/shop.git" } });
    repository("storefront");
    put("other/.git/config", '[remote "origin"]\n\turl = https://github.com/owner/other\n');
    expect(await look()).toEqual(moved("/storefront", "the same git remote"));
  });

  it("is looked for by the files that its chats are about", async () => {
    chat("s", "shop");
    for (const name of ["a.ts", "b.ts"]) put(`storefront/src/${name}`);
    put("other/src/a.ts");
    expect(await look()).toEqual(moved("/storefront", "2 of 2 files from its chats"));
  });

  it("is looked for by its name among those that VS Code knows", async () => {
    chat("s", "shop");
    put("clients/shop/README.md");
    chat("t", "clients/shop");
    expect(await look()).toEqual(moved("/clients/shop", "the same name"));
  });

  it("is not guessed at where two places have as much to say for themselves", async () => {
    chat("s", "shop", { repoData: { remoteUrl: REMOTE } });
    repository("one");
    repository("two");
    expect(await look()).toEqual([
      {
        code: "workspace-missing",
        session: "s",
        message: "the folder /shop is gone or was renamed, so VS Code no longer finds its chats",
        fix: "rethread move --from /shop --to <folder>",
      },
    ]);
  });
});

it("finds the chats of a folder that was made anew at the same place", async () => {
  put("my shop/README.md");
  chat("old", "my shop");
  chat(await idOf(localFs, join(root, "my shop")), "my shop");
  const database = "User/workspaceStorage/old/state.vscdb";
  put(database, "");
  utimesSync(join(root, database), new Date(), new Date());
  expect(await look()).toEqual([
    {
      code: "workspace-replaced",
      session: "old",
      message: "the folder /my shop was deleted and created again, so VS Code looks for its chats elsewhere",
      fix: "rethread rescue --vscode",
    },
  ]);
});
