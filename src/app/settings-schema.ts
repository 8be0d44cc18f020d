/** What may stand in config.json and in the variables that overrule it. Loaded only where there is something to check. */
import * as z from "zod/mini";
import { printed } from "../model/text/printed.ts";

/** A number as it is, or as text, where one of the letters may stand for thousands of thousands. */
const amount = (shape: RegExp, expected: string) =>
  z.pipe(
    z.union([z.number(), z.string()], expected),
    z.transform((value, { issues }) => {
      const [, digits, letter = ""] = shape.exec(printed(value).trim()) ?? [];
      if (digits !== undefined)
        return Math.round(Number(digits) * 1000 ** " KMGT".indexOf(letter.toUpperCase() || " "));
      issues.push({ code: "custom", message: expected, input: value });
      return z.NEVER;
    }),
  );

const vanished = z.enum(["keep", "remove"], '"keep" or "remove"');
const days = (example: string) => amount(/^(\d+)$/, `a whole number of days, such as ${example}`);
const backupBytes = amount(
  /^(\d+(?:\.\d+)?) ?([KMGT]?)B?$/i,
  'a number of bytes, or a text such as "500 MB"',
);

const TABLE =
  'null, or a table such as {"date": "2026-11-01", "currency": "USD", "models": {"<model>": {"input": 1, "output": 5, "cacheRead": 0.1, "cacheWrite": 1.25}}}, in units per million tokens';
const price = z.number(TABLE).check(z.minimum(0, TABLE));
const prices = z.nullable(
  z.strictObject(
    {
      date: z.string(TABLE).check(z.regex(/^\d{4}-\d\d-\d\d$/, TABLE)),
      currency: z._default(z.string(TABLE).check(z.minLength(1, TABLE)), "USD"),
      models: z.record(
        z.string(),
        z.strictObject(
          {
            input: price,
            output: price,
            cacheRead: z.exactOptional(price),
            cacheWrite: z.exactOptional(price),
          },
          TABLE,
        ),
        TABLE,
      ),
    },
    TABLE,
  ),
);

/** The message of an issue says what the setting can be. */
export const IN_FILE = z.strictObject({
  vanished: z.exactOptional(vanished),
  archive: z.exactOptional(z.boolean("true or false")),
  backupDays: z.exactOptional(days("90")),
  backupBytes: z.exactOptional(backupBytes),
  prices: z.exactOptional(prices),
  syncDeletes: z.exactOptional(z.boolean("true or false")),
});

/** Variables hold text alone. */
export const IN_VARIABLES = z.strictObject({
  vanished: z.exactOptional(vanished),
  archive: z.exactOptional(
    z.pipe(
      z.enum(["true", "false"], '"true" or "false"'),
      z.transform((text) => text === "true"),
    ),
  ),
  backupDays: z.exactOptional(days('"90"')),
  backupBytes: z.exactOptional(backupBytes),
});
