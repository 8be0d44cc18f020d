/** Whether VS Code really demands this is proved against its own loader in test/real; here is what we say about it. */
import { describe, expect, it } from "vitest";
import { rejectionsOfHead, toSavedTurn, whyNotSaved, whyTurnRejected } from "./load-requirements.ts";

const part = (more: object = {}): object => ({ kind: "text", range: { start: 0, endExclusive: 1 }, ...more });
const turn = (more: object = {}): object => ({
  message: { text: "a", parts: [part()] },
  response: [],
  ...more,
});

describe("objections to a turn", () => {
  it.each<[unknown, string | undefined]>([
    [turn(), undefined],
    [turn({ message: "plain" }), undefined],
    [turn({ response: undefined, result: {} }), undefined],
    [turn({ response: null }), undefined],
    [null, "a turn is not an object"],
    [turn({ message: undefined }), "a turn has no message"],
    [turn({ message: { text: "a" } }), "the message of a turn has no parts"],
    [
      turn({ message: { parts: [part({ kind: "selection" })] } }),
      'a message has a part of the unknown kind "selection"',
    ],
    [turn({ message: { parts: [part({ range: undefined })] } }), "a part of a message has no range"],
    [turn({ variableData: { variables: [null] } }), "an attachment of a turn is not an object"],
    [turn({ response: null, result: {} }), "the answer of a turn is null"],
    [turn({ response: [null] }), "a part of an answer is not an object"],
    [turn({ codeCitations: {} }), "codeCitations of a turn is not a list"],
    [turn({ contentReferences: [null] }), "contentReferences of a turn contains null"],
    [turn({ followups: 7 }), "followups of a turn is not a list"],
    [turn({ agent: "copilot" }), "the participant of a turn is not an object"],
    [turn({ response: [{ kind: "inlineReference", inlineReference: { path: "/a" } }] }), undefined],
    [
      turn({ response: [{ kind: "inlineReference" }] }),
      "a link in an answer points nowhere, so VS Code cannot show it",
    ],
  ])("%j: %s", (value, rejection) => {
    expect(whyTurnRejected(value)).toBe(rejection);
  });
});

describe("objections to the session as a whole", () => {
  it("names what makes VS Code drop or never save it", () => {
    const fine = { responderUsername: "", creationDate: 1, sessionId: "s" };
    expect(rejectionsOfHead(fine, true)).toEqual([]);
    expect(rejectionsOfHead({ responderUsername: "x" }, true)).toEqual([]);
    expect(rejectionsOfHead({ ...fine, initialLocation: "terminal" }, true)).toHaveLength(1);
    expect(rejectionsOfHead({ ...fine, inputState: { attachments: [null] } }, true)).toHaveLength(1);
    expect(rejectionsOfHead({ creationDate: "today", sessionId: 7 }, false)).toHaveLength(4);
  });

  it("names what breaks the next save of a log", () => {
    const plain = toSavedTurn({ message: "plain" });
    const finished = toSavedTurn({ message: "plain", modelState: { value: 1 } });
    expect(whyNotSaved({}, [finished])).toBeUndefined();
    expect(whyNotSaved({}, [plain])).toMatch(/unfinished turn/);
    expect(whyNotSaved({ inputState: {} }, [])).toMatch(/draft/);
  });
});
