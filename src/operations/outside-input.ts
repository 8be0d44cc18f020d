/** What operations take from outside. Apart from `outside.ts`, whose types are the library's and must not need zod. */
import type * as zod from "zod";
import { AppError } from "../model/errors.ts";
import type { AnyOperation, Zod } from "./operation.ts";

/** Without what only a person at this machine may choose, such as a command to run. */
export function outsideInput(z: Zod, operation: AnyOperation): zod.ZodType {
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

export function readInput(schema: zod.ZodType, { name }: Pick<AnyOperation, "name">, json: unknown): unknown {
  const { success, data, error } = schema.safeParse(json);
  if (success) return data;
  const wrong = error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join(".")}: ${message}` : message,
  );
  throw new AppError(
    "usage",
    `The input of ${name} does not fit its schema. ${wrong.join(". ")}`,
    "See the input schema of the operation",
  );
}
