import { expect, it } from "vitest";
import { createMemoryFs } from "../../platform/memory-fs.ts";
import { readWorkspace } from "./workspace.ts";

const of = (file: string, content: unknown) =>
  readWorkspace(
    createMemoryFs({ [`/w/${file}`]: typeof content === "string" ? content : JSON.stringify(content) }),
    "/w",
  );

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
    { name: "vscode-remote://box:8080/srv/x" },
    "vscode-remote://box:8080/srv/x",
    false,
  ],
])("understands %s", async (_name, file, content, name, isLocal) => {
  expect(await of(file, content)).toEqual({ name, isLocal });
});

it.each(["", "{", "null", "{}", '{"folder":7}'])("knows nothing from %j", async (content) => {
  expect(await of("workspace.json", content)).toBeUndefined();
});
