import { expect, it } from "vitest";
import { applyEdits, findMoves } from "./text.ts";

const RENAMED = { from: "/srv/shop", to: "/srv/the store" };

function move(text: string, relocation = RENAMED, withText = false) {
  const counts = { toolCalls: 0, attachments: 0, others: 0, mentions: 0 };
  const bytes = Buffer.from(text);
  return { text: applyEdits(bytes, findMoves(bytes, relocation, withText, counts)), ...counts };
}
const uri = (path: string) => ({ $mid: 1, fsPath: path, external: `file://${path}`, path, scheme: "file" });

it("rewrites the spellings of an address together, and leaves every other byte", () => {
  const address =
    '{"$mid":1, "fsPath":"/srv/shop/a.ts","external":"file:///srv/shop/a.ts",  "path":"/srv/shop/a.ts","scheme":"file"}';
  const around = (inner: string): string => `{"n":1.50,"inlineReference": ${inner},"x":"\\u00e9"}`;
  expect(move(around(address))).toEqual({
    text: around(
      '{"$mid":1, "fsPath":"/srv/the store/a.ts","external":"file:///srv/the%20store/a.ts",  "path":"/srv/the store/a.ts","scheme":"file"}',
    ),
    toolCalls: 0,
    attachments: 0,
    others: 1,
    mentions: 0,
  });
});

it("tells addresses in a list apart, and leaves those of other places", () => {
  const remote = { ...uri("/srv/shop/b.ts"), scheme: "vscode-remote", authority: "ssh-remote+host" };
  const before = {
    variables: [{ value: uri("/srv/shop/a.ts") }, { value: remote }, { value: uri("/srv/shopping/c.ts") }],
  };
  const { text, attachments, others } = move(JSON.stringify(before));
  expect({
    attachments,
    others,
    paths: JSON.parse(text).variables.map((each: (typeof before.variables)[0]) => each.value.path),
  }).toEqual({
    attachments: 1,
    others: 0,
    paths: ["/srv/the store/a.ts", "/srv/shop/b.ts", "/srv/shopping/c.ts"],
  });
});

it("rewrites whole paths in what a tool was called with, which is JSON inside of JSON", () => {
  const call = {
    id: "call_1",
    name: "read_file",
    arguments: '{"filePath": "/srv/shop/a.ts", "why": "see /srv/shop"}',
  };
  const { text, toolCalls } = move(JSON.stringify(call));
  expect({ toolCalls, arguments: JSON.parse(text).arguments }).toEqual({
    toolCalls: 1,
    arguments: '{"filePath": "/srv/the store/a.ts", "why": "see /srv/shop"}',
  });
});

it("counts words about the folder, and rewrites them only when asked to", () => {
  const said = JSON.stringify({
    message: { text: "Look into /srv/shop/src, not /srv/shopping" },
    arguments: "{torn /srv/shop",
  });
  expect(move(said)).toMatchObject({ text: said, mentions: 2 });
  expect(JSON.parse(move(said, RENAMED, true).text)).toEqual({
    message: { text: "Look into /srv/the store/src, not /srv/shopping" },
    arguments: "{torn /srv/the store",
  });
});

it("knows the spellings of Windows", () => {
  const relocation = { from: "c:\\work\\shop", to: "d:\\store" };
  const address = {
    $mid: 1,
    fsPath: "c:\\work\\shop\\a.ts",
    _sep: 1,
    external: "file:///c%3A/work/shop/a.ts",
    path: "/c:/work/shop/a.ts",
    scheme: "file",
  };
  expect(JSON.parse(move(JSON.stringify(address), relocation).text)).toEqual({
    ...address,
    fsPath: "d:\\store\\a.ts",
    external: "file:///d%3A/store/a.ts",
    path: "/d:/store/a.ts",
  });
});
