/** Operations for callers from outside: what comes in is checked, and what goes out is JSON. */
import type { App, Call } from "../app/contract.ts";
import type { Rethread } from "../app/library.ts";
import { loadOperations } from "./index.ts";
import type { AnyOperation, Zod } from "./operation.ts";
import { outsideInput, readInput } from "./outside-input.ts";

/** An operation as programs see it: plain JSON, and no types of another library. */
export interface OpenOperation {
  readonly name: string;
  /** A question reads; a change writes, or plans a write; a stream gives its answer piece by piece. */
  readonly kind: "question" | "change" | "stream";
  readonly summary: string;
  /** JSON Schema of what `run` takes, and of what it gives: the answer, or each item of a stream. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>>;
  /** Throws an `AppError` that names the field where the input does not fit. Of a stream there is no answer but its items. */
  run(app: Rethread, input?: unknown, call?: OpenCall): Promise<unknown>;
}

export interface OpenCall extends Call {
  /** Takes the items of a stream; one that can wait for it does. */
  readonly onItem?: (item: unknown) => void | Promise<void>;
}

/** All of them. zod is loaded here, and nowhere else in this room. */
export async function openOperations(): Promise<readonly OpenOperation[]> {
  const [z, all] = await Promise.all([import("zod"), loadOperations()]);
  return all.map((operation) => open(z, operation));
}

function open(z: Zod, operation: AnyOperation): OpenOperation {
  const { name, kind, summary } = operation;
  const schema = outsideInput(z, operation);
  return {
    name,
    kind,
    summary,
    input: z.toJSONSchema(schema, { io: "input" }),
    output: z.toJSONSchema(operation.output(z)),
    async run(rethread, json = {}, { onItem = () => undefined, ...call } = {}) {
      // The library's app is a whole one, of which its type promises the methods that are stable.
      const app = rethread as App;
      const input = readInput(schema, operation, json);
      if (operation.kind !== "stream") return operation.toJson(await operation.run(app, input, call), app);
      await operation.run(app, input, (item) => onItem(operation.toJson(item, app)), call);
      return undefined;
    },
  };
}
