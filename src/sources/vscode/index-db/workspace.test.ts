import { expect, it } from "vitest";
import { createMemoryFs } from "../../../platform/fs/memory.ts";
import { readWorkspace } from "./workspace.ts";

const of = async (file: string, content: unknown) => {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  const unreadable: string[] = [];
  const workspace = await readWorkspace(createMemoryFs({ [`/w/${file}`]: text }), "/w", (path, reason) => {
    unreadable.push(`${path}: ${reason}`);
  });
  return { workspace, unreadable };
};

it.each<[string, string, unknown, string, boolean]>([
  ["a folder", "workspace.json", { folder: "file:///srv/my%20shop" }, "/srv/my shop", true],
  [
    "a workspace file",
    "workspace.json",
    { workspace: "file:///srv/x.code-workspace" },
    "/srv/x.code-workspace",
    true,
  ],
  [
    "its older name",
    "workspace.json",
    { configuration: "file:///srv/x.code-workspace" },
    "/srv/x.code-workspace",
    true,
  ],
  ["a URI object", "workspace.json", { folder: { $mid: 1, path: "/srv/x", scheme: "file" } }, "/srv/x", true],
  ["a drive", "workspace.json", { folder: "file:///c%3A/src/x" }, "c:\\src\\x", true],
  ["a share", "workspace.json", { folder: "file://server/share/x" }, "//server/share/x", true],
  [
    "a remote",
    "workspace.json",
    { folder: "vscode-remote://ssh-remote%2Bbox/srv/x" },
    "vscode-remote://ssh-remote%2Bbox/srv/x",
    false,
  ],
  [
    "code-server",
    "meta.json",
    { id: "-14504d58", name: "vscode-remote://box:8080/srv/x" },
    "vscode-remote://box:8080/srv/x",
    false,
  ],
  [
    "a workspace file of code-server",
    "meta.json",
    { id: "-14504d58", configuration: "file:///srv/x.code-workspace", name: "x (Workspace)" },
    "/srv/x.code-workspace",
    true,
  ],
])("understands %s", async (_name, file, content, name, isLocal) => {
  expect(await of(file, content)).toEqual({ workspace: { name, isLocal }, unreadable: [] });
});

it.each<[string, unknown]>([
  ["workspace.json", {}],
  ["workspace.json", { folder: 7 }],
  ["meta.json", { id: "-14504d58", name: "shop" }],
  ["meta.json", { id: "-14504d58", name: "/srv/shop" }],
])("knows nothing from a %s with %j", async (file, content) => {
  expect(await of(file, content)).toEqual({ workspace: undefined, unreadable: [] });
});

it.each(["", "{", "null", "[]"])("says that it cannot make anything of %j", async (content) => {
  expect(await of("workspace.json", content)).toEqual({
    workspace: undefined,
    unreadable: ["/w/workspace.json: it is not a JSON object"],
  });
});

it("says that a folder stands in the place of the file", async () => {
  expect(await of("workspace.json/x", "")).toEqual({
    workspace: undefined,
    unreadable: ["/w/workspace.json: illegal operation on a directory"],
  });
});
