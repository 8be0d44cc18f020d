/** One call of a tool: its input is checked, its operations are run, and their answers leave without secrets. */
import type { App, Call } from "../app/contract.ts";
import { saysIncomplete } from "../app/store/incomplete.ts";
import { type CountTokens, loadTokenizer } from "../app/tokens.ts";
import { createRedactor, type Redactor } from "../model/redact/redact.ts";
import type { Clock } from "../model/values/time.ts";
import { OPERATIONS, type OperationName } from "../operations/index.ts";
import type { Operation, Zod } from "../operations/operation.ts";
import { outsideInput, readInput } from "../operations/outside-input.ts";
import { type Answer, type Body, compose, type Room } from "./answer.ts";
import type { CatchingUp, CaughtUp } from "./catching-up.ts";
import { failureAnswer } from "./failure.ts";
import { budgetField, DEFAULT_BUDGET } from "./inputs.ts";
import { refuseLongTexts } from "./long-texts.ts";
import type { AnyTool, ToolContext } from "./tool.ts";

/** What all calls share. */
export interface McpParts {
  readonly z: Zod;
  /** Makes changes. */
  readonly app: App;
  /** Answers questions, from a copy of the store without secrets. */
  readonly asked: App;
  readonly now: Clock;
  /** Knows what any session gives away by its name, and finds it in all that is read of sessions' own files. */
  readonly redactor: Redactor;
  readonly catchingUp: CatchingUp;
  /** Tools that change something are offered. */
  readonly canWrite: boolean;
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

export const inputSchemaOf = (z: Zod, tool: AnyTool) => {
  const schema = tool.input(z);
  if (!(schema instanceof z.ZodObject)) throw new Error(`${tool.name} takes no object`);
  return z.strictObject({ ...schema.shape, budget: budgetField(z) });
};

/** Loaded with the first call, as a tokenizer is large. */
let counting: Promise<CountTokens> | undefined;
export const tokenCounter = (): Promise<CountTokens> => {
  counting ??= loadTokenizer();
  return counting;
};

export async function callTool(
  parts: McpParts,
  tool: AnyTool,
  input: unknown,
  call: Call,
): Promise<ToolAnswer> {
  const count = await tokenCounter();
  let budget = DEFAULT_BUDGET;
  try {
    refuseLongTexts(input);
    const { budget: wanted = DEFAULT_BUDGET, ...rest } = readInput(
      inputSchemaOf(parts.z, tool),
      tool,
      input,
    ) as { budget?: number };
    budget = wanted;
    const lacks = new Set<string>();
    const context = contextOf(parts, budget, call, (sentence) => void lacks.add(sentence));
    const answer = withLacks(await tool.run(rest as never, context), [...lacks]);
    // Rows may be made of the caller's own words, like a failure; see above.
    const isEcho = tool.operations.every(({ name }) => FROM_THE_COPY.has(name as OperationName));
    const redactor = isEcho ? createRedactor() : parts.redactor;
    return { text: finish(redactor, answer, budget, count), isError: false };
  } catch (error) {
    const answer = failureAnswer(error, parts.app.demo !== undefined);
    if (!answer) throw error;
    return { text: finish(createRedactor(), answer, budget, count), isError: true };
  }
}

/** Said with what was cut: the history has more than the answer could know of. */
function withLacks({ head, body, ...answer }: Answer, lacks: readonly string[]): Answer {
  const said = lacks.map((sentence) => `Incomplete: ${sentence}.`);
  if (!body) return { ...answer, head: [head, ...said].join(" ") };
  const whole = (room: Room): Body => {
    const { text, cut } = body(room);
    return { text, cut: [...cut, ...said] };
  };
  return { ...answer, head, body: whole };
}

/** Once more over all of it: an error may quote what it is about. Heads are words of ours and of the caller alone. */
const finish = (redactor: Redactor, answer: Answer, tokens: number, count: CountTokens): string =>
  compose(
    {
      ...answer,
      head: createRedactor().text(answer.head),
      ...(answer.body && {
        body: (room) => {
          const { text, cut } = answer.body?.(room) ?? { text: "", cut: [] };
          return { text: redactor.text(text), cut };
        },
      }),
    },
    { tokens, count },
  );

/**
 * Their texts are without secrets already, and some are the caller's own words. Who asks for a password that was guessed
 * must not see whether it is one: so what these say is looked at without the memory of secrets.
 */
const FROM_THE_COPY: ReadonlySet<OperationName> = new Set([
  "search",
  "where",
  "list",
  "sql",
  "schema",
  "chronicle-standup",
]);

/** The first question looks for what is new; those that follow it in the same call need not. */
export function contextOf(
  parts: McpParts,
  budget: number,
  call: Call,
  onLack: (sentence: string) => void = () => undefined,
): ToolContext {
  const { z, redactor, now, catchingUp } = parts;
  let fresh: Promise<CaughtUp> | undefined;
  const toCall = async ({ kind }: Operation): Promise<Call> => {
    const { signal: _, ...written } = call;
    // A write that has begun is carried out, whether or not somebody still waits for it.
    if (kind === "change") return written;
    fresh ??= catchingUp.now(call);
    const { isFresh, lacks } = await fresh;
    lacks.forEach(onLack);
    if (isFresh) return { ...call, freshness: "stored" };
    const onNotice = (sentence: string): void => {
      if (saysIncomplete(sentence)) onLack(sentence);
      call.onNotice?.(sentence);
    };
    return { ...call, onNotice };
  };
  const askAny = async (name: OperationName, input: unknown): Promise<Readonly<Record<string, unknown>>> => {
    const operation: Operation = await load(name);
    const app = operation.kind === "change" ? parts.app : parts.asked;
    const asked = readInput(outsideInput(z, operation), operation, input);
    const answer = await operation.run(app, asked as never, await toCall(operation));
    const json = operation.toJson(answer, app);
    const own = FROM_THE_COPY.has(name) ? createRedactor() : redactor;
    own.learn(json);
    return own.value(json) as Readonly<Record<string, unknown>>;
  };
  const redact = (text: string): string => redactor.text(text);
  return { askAny, ask: askAny as ToolContext["ask"], redact, budget, now: now() };
}

async function load(name: OperationName): Promise<Operation> {
  const operation = await OPERATIONS[name]();
  if (operation.kind === "stream") throw new Error(`${name} gives no single answer`);
  return operation as unknown as Operation;
}
