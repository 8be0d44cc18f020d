/** `plan`: what a change would do, described before it happens. */
import { AppError } from "../../model/errors.ts";
import { printed } from "../../model/text/printed.ts";
import { formatKey } from "../../model/values/id.ts";
import { outline } from "../../operations/questions/outline.ts";
import { PLANNED } from "../../server/routes.ts";
import { cutTo } from "../answer.ts";
import { callOf } from "../citation.ts";
import { largerThan } from "../inputs.ts";
import { defineTool, type ToolContext } from "../tool.ts";

export default defineTool({
  name: "plan",
  title: "Plan a change to sessions",
  description:
    "Plan a change to sessions and write nothing: the answer is the plan, which a person should see before apply carries it out by its fingerprint, once, within 30 minutes. The input of an operation is as POST /api/plans/{operation} takes it: a session as source:id, options in camelCase.",
  kind: "change",
  operations: [...PLANNED.map((name) => ({ name })), outline],
  input: (z) =>
    z.strictObject({
      operation: z.enum(PLANNED).describe("the change to plan"),
      input: z.record(z.string(), z.unknown()).describe('its input, such as {"session":"source:id","at":3}'),
    }),
  async run({ operation, input }, context) {
    const { askAny, budget } = context;
    const { fingerprint, expiresAt, ...plan } = await askAny(operation, await withKeys(input, context));
    const { steps } = plan.plan as { readonly steps: readonly unknown[] };
    return {
      head:
        steps.length === 0
          ? "There is nothing to do, so there is nothing to apply."
          : `Planned; nothing is written yet. Show this plan to the user first. To carry it out, once, until ${printed(expiresAt)}: ${callOf("apply", { fingerprint })}`,
      body({ tokens, count }) {
        const whole = JSON.stringify(plan, null, 1);
        const text = cutTo(whole, tokens, count);
        return {
          text,
          cut:
            text === whole
              ? []
              : [
                  `Cut: the rest of the plan. To get it: ${callOf("plan", { operation, input, budget: largerThan(budget) })}`,
                ],
        };
      },
    };
  },
});

type Input = Readonly<Record<string, unknown>>;

/** Names are looked up where questions are: a title that was guessed must not tell what it has of a secret. */
async function withKeys(input: Input, { ask }: ToolContext): Promise<Input> {
  const keyOf = async (name: unknown): Promise<unknown> => {
    if (typeof name !== "string") return name;
    try {
      return formatKey((await ask("outline", { session: name })).session);
    } catch (error) {
      // One that is there and cannot be read may be one to rescue.
      if (error instanceof AppError && !UNNAMED.has(error.code)) return name;
      throw error;
    }
  };
  const { session, sessions } = input;
  return {
    ...input,
    ...(session !== undefined && { session: await keyOf(session) }),
    ...(Array.isArray(sessions) && { sessions: await Promise.all(sessions.map(keyOf)) }),
  };
}

const UNNAMED: ReadonlySet<string> = new Set([
  "session-not-found",
  "session-ambiguous",
  "nothing-found",
  "aborted",
]);
