/** One session: what it is, and what its turns are about. */
import type { AnyOperation } from "../operations/operation.ts";
import { readInput } from "../operations/outside-input.ts";
import { answerJson, type Endpoint } from "./endpoint.ts";

interface Shown {
  readonly type: string;
  readonly session?: unknown;
  readonly problems?: unknown;
  readonly turn?: {
    readonly index: number;
    readonly user: string | null;
    readonly startedAt: string | null;
    readonly endedAt?: string | null;
    readonly parts: readonly { readonly kind: string }[];
  };
}

export function sessionEndpoint(operations: ReadonlyMap<string, AnyOperation>): Endpoint {
  const show = operations.get("show");
  if (show?.kind !== "stream") throw new Error("show is no stream");
  return {
    method: "GET",
    path: "/api/sessions/{session}",
    summary: show.summary,
    effect: "reads",
    operation: "show",
    parameters: [
      { name: "session", in: "path", isRequired: true, schema: (z) => z.string().describe("source:id") },
    ],
    output: (z) => z.object({ session: z.unknown(), turns: z.array(z.unknown()) }),
    async answer({ params, signal }, { app, z }) {
      const input = readInput(show.input(z), show, { session: params.session, textLimit: 0 });
      const answer: Record<string, unknown> = { preamble: false };
      const turns: unknown[] = [];
      const take = (item: unknown): void => {
        const shown = show.toJson(item, app) as Shown;
        if (shown.type === "preamble") answer.preamble = true;
        else if (shown.type === "head")
          Object.assign(answer, { session: shown.session, problems: shown.problems });
        else if (shown.turn) {
          const { index, user, startedAt, endedAt = null, parts } = shown.turn;
          turns.push({
            index,
            prompt: (user ?? "").replaceAll(/\s+/g, " ").slice(0, 200),
            startedAt,
            endedAt,
            bytes: null,
            toolCalls: parts.filter(({ kind }) => kind === "tool").length,
            failedCalls: 0,
            filesChanged: parts.filter(({ kind }) => kind === "edit").length,
            hasCheckpoint: false,
          });
        }
      };
      await show.run(app, input as never, take, { signal });
      return answerJson({ ...answer, turns });
    },
  };
}
