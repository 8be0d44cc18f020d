/** Changes in two steps: a plan that is shown and writes nothing, and exactly that plan carried out. */
import { AppError } from "../model/errors.ts";
import type { OperationName } from "../operations/index.ts";
import type { AnyOperation, Operation, Zod } from "../operations/operation.ts";
import { outsideInput, readInput } from "../operations/outside-input.ts";
import { answerJson, answerJsonText, type Endpoint, type ServerParts } from "./endpoint.ts";
import { failureAnswer } from "./failure-answer.ts";
import { runElsewhere } from "./operation-endpoint.ts";
import { PLANNED } from "./routes.ts";

/** One for each change, so that each is documented with its own input and answer. */
export const planEndpoints = (z: Zod, operations: ReadonlyMap<string, AnyOperation>): Endpoint[] =>
  PLANNED.map((name) => planEndpoint(z, changeNamed(operations, name)));

function planEndpoint(z: Zod, operation: Operation): Endpoint {
  const schema = outsideInput(z, operation);
  return {
    method: "POST",
    path: `/api/plans/${operation.name}`,
    summary: `Plan, and write nothing: ${operation.summary}`,
    effect: "plans",
    operation: operation.name as OperationName,
    parameters: [],
    body: () => schema,
    output: operation.output,
    async answer(request, parts) {
      const input = readInput(schema, operation, (await request.json()) ?? {});
      // Planned from what is there now, not from what was indexed.
      const { signal } = request;
      return answerJsonText(await parts.workers.ask("changes", operation.name, input, { signal }));
    },
  };
}

export const applyEndpoint = (operations: ReadonlyMap<string, AnyOperation>): Endpoint => {
  const apply = changeNamed(operations, "apply");
  const applyMigration = changeNamed(operations, "apply-migration");
  return {
    method: "POST",
    path: "/api/plans/{fingerprint}/apply",
    summary: "Carry out a plan, once",
    effect: "writes",
    operation: "apply",
    parameters: [
      {
        name: "fingerprint",
        in: "path",
        isRequired: true,
        schema: (z) => z.string().min(1).describe("of the plan"),
      },
    ],
    output: (z) => z.union([apply.output(z), applyMigration.output(z)]),
    failures: {
      409: "something has changed since the plan was made, or a program has it open",
      410: "the plan has expired, was carried out already, or was never made",
    },
    async answer({ params, signal }, parts) {
      const fingerprint = params.fingerprint ?? "";
      try {
        const written = await applyEither(parts, fingerprint, signal, [apply, applyMigration]);
        const { operation = null, plan } = written as { operation?: string; plan?: { kind?: string } };
        parts.events.publish("write-done", {
          operation,
          ...(plan?.kind !== undefined && { kind: plan.kind }),
        });
        return answerJson(written);
      } catch (error) {
        // A plan that was once there is gone, and nobody can tell it from one that never was.
        if (!isUnknown(error)) throw error;
        return failureAnswer(error, parts.app.demo !== undefined, 410);
      }
    },
  };
};

/** A migration is a plan of its own kind; which one a fingerprint belongs to, only the keepers know. */
async function applyEither(
  parts: ServerParts,
  fingerprint: string,
  signal: AbortSignal,
  [first, second]: readonly [Operation, Operation],
): Promise<Record<string, unknown>> {
  const run = async (operation: Operation) => {
    const input = readInput(operation.input(parts.z), operation, { fingerprint });
    return JSON.parse((await runElsewhere(parts, "changes", operation, input, signal)).join(""));
  };
  try {
    return await run(first);
  } catch (error) {
    if (!isUnknown(error)) throw error;
    return run(second);
  }
}

const isUnknown = (error: unknown): boolean => error instanceof AppError && error.code === "plan-not-found";

function changeNamed(operations: ReadonlyMap<string, AnyOperation>, name: string): Operation {
  const operation = operations.get(name);
  if (operation?.kind !== "change") throw new Error(`${name} is no change`);
  return operation;
}
