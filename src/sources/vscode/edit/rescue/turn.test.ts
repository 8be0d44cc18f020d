import { describe, expect, it } from "vitest";
import { message, START } from "../../../../../test/vscode-log.ts";
import type { JsonObject } from "../../../log/jsonl.ts";
import { whyTurnRejected, whyUsedContextRejected } from "../../format/load-requirements.ts";
import { repairTurn } from "./turn.ts";

const uri = { $mid: 1, path: "/srv/a.ts", scheme: "file" };
const TURN: JsonObject = {
  requestId: "request_1",
  message: message("Fix it"),
  variableData: { variables: [{ kind: "file", id: "a", name: "a.ts", value: uri }], future: 1 },
  response: [
    { value: "Done." },
    { kind: "inlineReference", inlineReference: uri, name: "a.ts" },
    { kind: "futureKind", payload: [1] },
  ],
  result: { metadata: { renderedUserMessage: [{ type: 1, text: "<userRequest>\nFix it\n</userRequest>" }] } },
  agent: { id: "a", metadata: {} },
  followups: [{ kind: "reply", message: "m" }],
  contentReferences: [{ kind: "reference", reference: uri }],
  codeCitations: [],
  editedFileEvents: [{ uri, eventKind: 1 }],
  usedContext: { documents: [{ uri, version: 1, ranges: [] }], kind: "usedContext" },
  modelState: { value: 1, completedAt: START },
  future: { kept: true },
};
const repair = (turn: JsonObject) => repairTurn(turn, { isLog: true, isTorn: false });

it("leaves a sound turn alone", () => {
  expect(repair(TURN)).toEqual({ turn: TURN, faults: [] });
  expect(repair(TURN).turn).toBe(TURN);
});

describe("whatever is spoiled", () => {
  const JUNK = [null, 0, 7, "", "text", [], [null], {}, true, undefined];
  const spoil = (value: unknown, path: readonly (string | number)[], junk: unknown): unknown => {
    const [step, ...rest] = path;
    if (step === undefined) return junk;
    const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
      string | number,
      unknown
    >;
    copy[step] = spoil(copy[step], rest, junk);
    return copy;
  };
  const pathsIn = (value: unknown, path: (string | number)[] = []): (string | number)[][] =>
    typeof value !== "object" || value === null
      ? [path]
      : [
          ...(path.length === 0 ? [] : [path]),
          ...Object.entries(value).flatMap(([key, held]) =>
            pathsIn(held, [...path, Array.isArray(value) ? Number(key) : key]),
          ),
        ];

  it.each(pathsIn(TURN).map((path) => [path.join("."), path] as const))("at %s is repaired", (_, path) => {
    for (const junk of JUNK) {
      const spoiled = spoil(TURN, path, junk) as JsonObject;
      const { turn, faults } = repair(spoiled);
      expect([whyTurnRejected(turn), whyUsedContextRejected(turn)], JSON.stringify(junk)).toEqual([
        undefined,
        undefined,
      ]);
      if (faults.length === 0) expect(turn).toBe(spoiled);
      else if (path[0] !== "future") expect(turn.future).toEqual({ kept: true });
    }
  });
});

describe("the words of a prompt", () => {
  it.each([
    ["its text", { text: "Fix it", parts: [{ kind: "file" }] }],
    [
      "its parts",
      {
        parts: [
          { kind: "text", text: "Fix" },
          { kind: "text", text: " it" },
        ],
      },
    ],
    ["what the model was told", undefined],
  ])("come from %s", (_, said) => {
    expect(repair({ ...TURN, message: said }).turn.message).toMatchObject({
      text: "Fix it",
      parts: [{ kind: "text", text: "Fix it" }],
    });
  });

  it("are looked for elsewhere only where the file is damaged", () => {
    const mute = { ...TURN, message: { parts: message("Fix it").parts } };
    expect(repair(mute).faults).toEqual([]);
    expect(repairTurn(mute, { isLog: true, isTorn: true }).turn.message).toMatchObject({ text: "Fix it" });
  });

  it("become parts where VS Code could not save them otherwise", () => {
    const plain = { ...TURN, message: "Fix it", modelState: undefined };
    expect(repair(plain).turn.message).toMatchObject({ text: "Fix it", parts: [{ kind: "text" }] });
    expect(repairTurn(plain, { isLog: false, isTorn: false }).faults).toEqual([]);
  });
});
