/** Runs an operation, and gives back its JSON with what had to be said on the way. */
import type { App, Call } from "../app/contract.ts";
import type { Operation } from "./operation.ts";

export async function runForJson(
  app: App,
  operation: Operation,
  input: unknown,
  call: Call,
): Promise<Record<string, unknown>> {
  const notices: string[] = [];
  const answer = await operation.run(app, input as never, {
    ...call,
    onNotice: (sentence) => void notices.push(sentence),
  });
  const json = operation.toJson(answer, app) as Record<string, unknown>;
  return notices.length > 0 && !("notices" in json) ? { ...json, notices } : json;
}
