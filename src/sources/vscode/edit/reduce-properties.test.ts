/** What holds for every session that is made smaller, whatever is asked for. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { contextOfState } from "../../../../test/vscode-log.ts";
import { madeUpSessions } from "../../../../test/vscode-made-up.ts";
import type { Ledger, Reduction } from "../../../model/reduce/reduction.ts";
import type { ContextMessage } from "../../../model/session/context.ts";
import { countContext } from "../../../query/context.ts";
import { asArray, asObject, type JsonObject } from "../../log/jsonl.ts";
import { whyTurnRejected } from "../format/load-requirements.ts";
import { textOf } from "../response/answer.ts";
import { type ReducedSession, reduceSession } from "./reduce/reduce.ts";

/** Near enough to tokens, and fast. */
const count = (text: string): number => Math.ceil(text.length / 4);
const reduce = (state: JsonObject, reduction: Reduction): ReducedSession =>
  reduceSession(state, { reduction, count, name: "vscode:s", renew: (id) => `${id}-new` });
const tokensOf = (messages: readonly ContextMessage[]): number => countContext(messages, count).tokens;
const turnsOf = (state: JsonObject): JsonObject[] => asArray(state.requests) as JsonObject[];
const metadataOf = (turn: JsonObject): JsonObject => asObject(asObject(turn.result)?.metadata) ?? {};

const oneReduction: fc.Arbitrary<Reduction> = fc.oneof(
  fc.constant({ tools: "drop" } as const),
  fc.nat(100).map((oldest) => ({ tools: { oldest } })),
  fc.nat(900).map((truncate) => ({ tools: { truncate } })),
  fc.constant({ dropThinking: true }),
  fc.nat(90).map((percent) => ({ dropOldest: { percent } })),
  fc.nat(4000).map((budget) => ({ budget: budget + 1 })),
);
/** One, or several at once. */
const reductions: fc.Arbitrary<Reduction> = fc
  .array(oneReduction, { minLength: 1, maxLength: 3 })
  .map((all) => Object.assign({}, ...all));
const check = (
  property: (state: JsonObject, reduction: Reduction) => Promise<void>,
  runs = 150,
): Promise<void> => fc.assert(fc.asyncProperty(madeUpSessions, reductions, property), { numRuns: runs });

/** Every id of a call with that of its result, where either is there. */
const pairsOf = (messages: readonly ContextMessage[]): unknown => ({
  calls: messages.flatMap(({ toolCalls }) => toolCalls ?? []).map(({ id }) => id),
  results: messages.flatMap(({ toolCallId }) => toolCallId ?? []),
});

it("never parts a call from its result", () =>
  check(async (state, reduction) => {
    const { state: reduced } = reduce(state, reduction);
    const { calls, results } = pairsOf(await contextOfState(reduced)) as Record<string, string[]>;
    expect(results).toEqual(calls);
    const answeredBefore = new Set(
      turnsOf(state).flatMap((turn) => Object.keys(asObject(metadataOf(turn).toolCallResults) ?? {})),
    );
    const kept = turnsOf(reduced);
    const results2 = kept.flatMap((turn) => Object.keys(asObject(metadataOf(turn).toolCallResults) ?? {}));
    const made = kept
      .flatMap((turn) => asArray(metadataOf(turn).toolCallRounds))
      .flatMap((round) => asArray(asObject(round)?.toolCalls))
      .map((call) => String(asObject(call)?.id));
    expect(results2.sort()).toEqual(made.filter((id) => answeredBefore.has(id)).sort());
  }));

it("keeps every text, for the model and for the user, when only tools go", () =>
  check(async (state) => {
    const { state: reduced } = reduce(state, { tools: "drop" });
    const said = async (of: JsonObject): Promise<string[]> => {
      const texts = (await contextOfState(of)).flatMap(({ role, text }) => (role === "tool" ? [] : [text]));
      return texts.filter((text) => text !== "");
    };
    expect(await said(reduced)).toEqual(expect.arrayContaining(await said(state)));
    const shown = (of: JsonObject): (string | undefined)[][] =>
      turnsOf(of).map((turn) =>
        asArray(turn.response)
          .map(textOf)
          .filter((text) => text !== undefined),
      );
    expect(shown(reduced)).toEqual(shown(state));
    expect(JSON.stringify(reduced)).not.toContain('"call_');
  }));

it("costs no more than the budget, or as little as can be", () =>
  fc.assert(
    fc.asyncProperty(madeUpSessions, fc.integer({ min: 1, max: 6000 }), async (state, budget) => {
      let tokens = Number.POSITIVE_INFINITY;
      let target = budget;
      for (let round = 1; ; round++) {
        tokens = tokensOf(await contextOfState(reduce(state, { budget: target }).state));
        if (tokens <= budget || target === 0) break;
        target = round < 8 ? Math.max(target - (tokens - budget), Math.floor(target / 2)) : 0;
      }
      const least = tokensOf(await contextOfState(reduce(state, { budget: 0 }).state));
      expect(tokens).toBeLessThanOrEqual(Math.max(budget, least));
      expect(tokens).toBeLessThanOrEqual(tokensOf(await contextOfState(state)));
    }),
    { numRuns: 100 },
  ));

it("leaves turns that VS Code loads, gives new ids to those that changed, and keeps all it does not know", () =>
  check(async (state, reduction) => {
    const { state: reduced, ledger } = reduce(state, reduction);
    const before = new Map(turnsOf(state).map((turn) => [turn.future, turn]));
    for (const turn of turnsOf(reduced)) {
      const original = before.get(turn.future) as JsonObject;
      expect(whyTurnRejected(turn)).toBeUndefined();
      expect(JSON.stringify(turn)).not.toContain("statefulMarker");
      const isSame = turn === original;
      expect(turn.requestId === original.requestId).toBe(isSame);
      expect(turn.responseId === original.responseId).toBe(isSame);
      expect(metadataOf(turn).responseId === metadataOf(original).responseId).toBe(isSame);
      expect(metadataOf(turn).future).toBe("kept");
      const odd = (of: JsonObject): unknown[] =>
        asArray(of.response).filter((part) => asObject(part)?.kind === "futureKind");
      expect(odd(turn)).toEqual(odd(original));
    }
    expect({ ...reduced, requests: [] }).toEqual({ ...state, requests: [] });
    expect(turnsOf(reduced)).toHaveLength(ledger.turns.kept);
    for (const { kept, cut, dropped } of Object.values(ledger) as Ledger["turns"][])
      expect(Math.min(kept, cut, dropped)).toBeGreaterThanOrEqual(0);
  }));

it("changes nothing but the marks of the server when nothing is to go", () =>
  check(async (state) => {
    const { state: reduced } = reduce(state, { budget: 1e9 });
    expect(await contextOfState(reduced)).toEqual(await contextOfState(state));
    expect(turnsOf(reduced).map(({ response }) => response)).toEqual(
      turnsOf(state).map(({ response }) => response),
    );
  }));
