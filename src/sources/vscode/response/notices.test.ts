import { expect, it } from "vitest";
import type { JsonObject } from "../../log/jsonl.ts";
import { editsOf } from "./edits.ts";
import { noticeOf } from "./notices.ts";

it.each<[JsonObject, { level: string; text: string } | undefined]>([
  [
    { kind: "warning", content: { value: "careful" } },
    { level: "warning", text: "careful" },
  ],
  [
    { kind: "progressMessage", content: { value: "working" } },
    { level: "info", text: "working" },
  ],
  [
    { kind: "progressTaskSerialized", content: "done" },
    { level: "info", text: "done" },
  ],
  [
    { kind: "confirmation", title: "Sure?", message: { value: "Really" } },
    { level: "info", text: "Sure?\nReally" },
  ],
  [
    { kind: "questionCarousel", questions: [{ title: "One" }, { message: "Two" }] },
    { level: "info", text: "One\nTwo" },
  ],
  [
    { kind: "command", command: { title: "Open settings" } },
    { level: "info", text: "Open settings" },
  ],
  [
    { kind: "extensions", extensions: ["a.b", "c.d"] },
    { level: "info", text: "a.b, c.d" },
  ],
  [
    { kind: "pullRequest", title: "Fix", description: "It" },
    { level: "info", text: "Fix\nIt" },
  ],
  [
    { kind: "treeData", treeData: { label: "src", children: [{ label: "a.ts" }] } },
    { level: "info", text: "src\n  a.ts" },
  ],
  [{ kind: "thinking" }, undefined],
])("says what %j says", (part, expected) => {
  expect(noticeOf(part)).toEqual(expected);
});

it.each<[JsonObject, unknown]>([
  [{ kind: "notebookEditGroup", uri: { path: "/n.ipynb", scheme: "file" } }, [{ path: "/n.ipynb" }]],
  [
    {
      kind: "workspaceEdit",
      edits: [{ oldResource: { path: "/a" }, newResource: { path: "/b" } }, { oldResource: { path: "/c" } }],
    },
    [{ path: "/b" }, { path: "/c" }],
  ],
  [
    {
      kind: "multiDiffData",
      multiDiffData: { resources: [{ modifiedUri: { path: "/m" }, added: 3, removed: 1 }] },
    },
    [{ path: "/m", added: 3, removed: 1 }],
  ],
  [{ kind: "externalEdit", uris: [{ path: "/e" }] }, [{ path: "/e" }]],
  [{ kind: "thinking" }, undefined],
])("names the files that %j changed", (part, expected) => {
  expect(editsOf(part)).toEqual(expected);
});
