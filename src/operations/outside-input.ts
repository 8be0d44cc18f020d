/** What operations take from outside. Apart from `outside.ts`, whose types are the library's and must not need zod. */
import type * as zod from "zod";
import { AppError } from "../model/errors.ts";
import { MAX_DEPTH } from "../model/values/json.ts";
import type { AnyOperation, Zod } from "./operation.ts";

/** Without what only a person at this machine may choose, such as a command to run. */
export function outsideInput(z: Zod, operation: Pick<AnyOperation, "input">): zod.ZodType {
  const schema = operation.input(z);
  if (!(schema instanceof z.ZodObject)) return schema;
  const fields = Object.entries<zod.ZodType>(schema.shape);
  const others = fields.filter(([, field]) => z.globalRegistry.get(field)?.isLocal !== true);
  return z.strictObject(Object.fromEntries(others));
}

/** For an input that was kept as JSON meanwhile. */
export async function readOutsideInput(operation: AnyOperation, json: unknown): Promise<unknown> {
  return readInput(outsideInput(await import("zod"), operation), operation, json);
}

export function readInput<S extends zod.ZodType>(
  schema: S,
  { name }: Pick<AnyOperation, "name">,
  json: unknown,
): zod.output<S> {
  const { success, data, error } = schema.safeParse(json);
  if (success) {
    refuseNul(json);
    return data;
  }
  const wrong = error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join(".")}: ${message}` : message,
  );
  throw new AppError(
    "usage",
    `The input of ${name} does not fit its schema. ${wrong.join(". ")}`,
    "See the input schema of the operation",
  );
}

/** No path, name or query can have one: the system cuts them there, or fails with words of its own. */
function refuseNul(json: unknown): void {
  for (const [path, text] of textsIn(json))
    if (text.includes("\0")) throw new AppError("usage", `${path} has a NUL character in it`, "Leave it out");
}

/** Every text, with the names of the fields that lead to it. What is nested more deeply than any input is refused. */
export function* textsIn(
  value: unknown,
  path = "The input",
  levels = MAX_DEPTH,
): Generator<[path: string, text: string]> {
  if (typeof value === "string") yield [path, value];
  if (typeof value !== "object" || value === null) return;
  if (levels === 0) throw new AppError("usage", "The input is nested too deeply", "Send less in one another");
  for (const [name, item] of Object.entries(value))
    yield* textsIn(item, path === "The input" ? name : `${path}.${name}`, levels - 1);
}
