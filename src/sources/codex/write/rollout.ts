/**
 * Writes a conversation as the smallest log that Codex CLI lists, resumes and appends to. Instructions, permissions and
 * the environment are left out: it adds its own when the session is resumed.
 */
import { type JsonObject, titleFrom } from "../../log/jsonl.ts";

/** The release whose records these are. It reads this older form, too, and older releases read nothing else. */
const VERSION = "0.169.0";

export interface RolloutHead {
  /** A UUID. */
  readonly id: string;
  /** An absolute path. */
  readonly workspace: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The session goes on with the model that answered last; without one, with that of the settings. */
  readonly model?: string;
  readonly branch?: string;
  readonly repositoryUrl?: string;
  readonly forkedFrom?: string;
  /** What the program ignores: where the session comes from. */
  readonly handoff?: JsonObject;
  /** Stands for everything before the first turn. */
  readonly summary?: { readonly text: string; readonly at: string };
}

export interface RolloutTurn {
  readonly at: string;
  /** Missing where only the work on an earlier prompt is left. */
  readonly user?: string;
  /** The id of the prompt, which copies of the session share. */
  readonly id?: string;
  readonly images?: readonly RolloutImage[];
  /** What is noted of the prompt beside it. */
  readonly metadata?: JsonObject;
  readonly steps: readonly RolloutStep[];
}

export interface RolloutImage {
  readonly path: string;
  readonly type: string;
  /** Base64. */
  readonly data: string;
}

/** `at` is when it had ended; without it, when the step before had. */
export type RolloutStep = { readonly at?: string } & (
  | { readonly kind: "say"; readonly text: string }
  /** Shown to people; models take back only what their own service encrypted. */
  | { readonly kind: "think"; readonly text: string }
  | ({ readonly kind: "call" } & RolloutCall)
  /** All are called before the first of them gives something back. */
  | { readonly kind: "calls"; readonly calls: readonly (RolloutCall & { readonly at?: string })[] }
  | { readonly kind: "compact"; readonly summary: string }
  | { readonly kind: "spend"; readonly input: number; readonly cached: number; readonly output: number }
);

export interface RolloutCall {
  readonly id: string;
  readonly name: string;
  /** A text for tools that take one, such as `apply_patch`. */
  readonly input: unknown;
  readonly output: string | readonly JsonObject[];
  /** When it was called. */
  readonly calledAt?: string;
  /** What is noted of the output beside it. */
  readonly metadata?: JsonObject;
}

/** Where it lies below a Codex home. Releases differ in the time zone of the name, and take any. */
export function rolloutPath({ id, createdAt }: Pick<RolloutHead, "id" | "createdAt">): string {
  const time = new Date(createdAt).toISOString().slice(0, 19);
  return `sessions/${time.slice(0, 10).replaceAll("-", "/")}/rollout-${time.replaceAll(":", "-")}-${id}.jsonl`;
}

/** What names the session in the list of names. */
export const nameLine = (id: string, name: string, at: string): JsonObject => ({
  id,
  thread_name: titleFrom(name),
  updated_at: at,
});

export function rolloutRecords(head: RolloutHead, turns: readonly RolloutTurn[]): JsonObject[] {
  const records: JsonObject[] = [];
  let clock = head.createdAt;
  let spent = { input: 0, cached: 0, output: 0 };
  /** What people typed since the beginning: it stands before a summary. */
  const typed: JsonObject[] = [];
  const add = (type: string, payload: JsonObject, metadata?: JsonObject): void =>
    void records.push({ timestamp: clock, type, payload, ...(metadata && { metadata }) });
  const compact = (text: string): void => {
    const words = text.startsWith(SUMMARY_OPENING) ? text : `${SUMMARY_OPENING}\n${text}`;
    const summary = message("user", [{ type: "input_text", text: words }]);
    add("compacted", { message: words, replacement_history: [...typed, summary] });
    add("event_msg", { type: "context_compacted" });
  };
  const run = (calls: Extract<RolloutStep, { kind: "calls" }>["calls"]): void => {
    for (const { id, name, input, calledAt } of calls) {
      clock = calledAt ?? clock;
      const given = typeof input === "string" ? { input } : { arguments: JSON.stringify(input) };
      add("response_item", { type: callKind(input), name, ...given, call_id: id });
    }
    for (const { id, input, output, at, metadata } of calls) {
      clock = at ?? clock;
      add("response_item", { type: `${callKind(input)}_output`, call_id: id, output }, metadata);
    }
  };

  const step = (each: RolloutStep): void => {
    if (each.kind === "call" || each.kind === "calls") {
      run(each.kind === "call" ? [each] : each.calls);
      return;
    }
    clock = each.at ?? clock;
    if (each.kind === "say") {
      add("response_item", message("assistant", [{ type: "output_text", text: each.text }]));
      add("event_msg", { type: "agent_message", message: each.text });
    } else if (each.kind === "think") add("event_msg", { type: "agent_reasoning", text: each.text });
    else if (each.kind === "compact") compact(each.summary);
    else {
      const { input, cached, output } = each;
      spent = { input: spent.input + input, cached: spent.cached + cached, output: spent.output + output };
      add("event_msg", {
        type: "token_count",
        info: {
          total_token_usage: usage(spent),
          last_token_usage: usage(each),
          model_context_window: WINDOW,
        },
        rate_limits: null,
      });
    }
  };

  const ask = (user: string, { id, images = [], metadata = {} }: RolloutTurn): void => {
    const words = user === "" && images.length > 0 ? [] : [{ type: "input_text", text: user }];
    const prompt = message("user", [...images.flatMap(picture), ...words], id);
    typed.push(prompt);
    add("response_item", prompt, Object.keys(metadata).length > 0 ? metadata : undefined);
    add("event_msg", {
      type: "user_message",
      message: user,
      images: [],
      local_images: images.map(({ path }) => path),
    });
  };

  add("session_meta", metaOf(head));
  if (head.summary) {
    clock = head.summary.at;
    compact(head.summary.text);
  }
  for (const turn of turns) {
    clock = turn.at;
    if (head.model !== undefined) add("turn_context", settingsOf(head.workspace, head.model));
    if (turn.user !== undefined) ask(turn.user, turn);
    for (const each of turn.steps) step(each);
  }
  return records;
}

/** Of the models that the demo names; it is what `token_count` says beside the tokens. */
const WINDOW = 258_400;

const metaOf = ({
  id,
  createdAt,
  workspace,
  branch,
  repositoryUrl,
  forkedFrom,
  handoff,
}: RolloutHead): JsonObject => ({
  id,
  ...(forkedFrom !== undefined && { forked_from_id: forkedFrom }),
  timestamp: createdAt,
  cwd: workspace,
  originator: "codex_cli_rs",
  cli_version: VERSION,
  source: "cli",
  ...((branch !== undefined || repositoryUrl !== undefined) && {
    git: {
      ...(branch !== undefined && { branch }),
      ...(repositoryUrl !== undefined && { repository_url: repositoryUrl }),
    },
  }),
  ...(handoff && { handoff }),
});

/** Which model answered; the rest is required beside it. */
const settingsOf = (workspace: string, model: string): JsonObject => ({
  cwd: workspace,
  approval_policy: "on-request",
  sandbox_policy: { type: "read-only" },
  model,
  summary: "auto",
});

const message = (role: string, content: readonly JsonObject[], id?: string): JsonObject => ({
  type: "message",
  ...(id !== undefined && { id }),
  role,
  content,
});

const callKind = (input: unknown): string =>
  typeof input === "string" ? "custom_tool_call" : "function_call";

/** Between the words that the program puts around it. */
const picture = ({ path, type, data }: RolloutImage, index: number): JsonObject[] => [
  { type: "input_text", text: `<image name=[Image #${index + 1}] path="${path}">` },
  { type: "input_image", image_url: `data:${type};base64,${data}` },
  { type: "input_text", text: "</image>" },
];

const usage = ({ input, cached, output }: { input: number; cached: number; output: number }): JsonObject => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
  reasoning_output_tokens: 0,
  total_tokens: input + output,
});

const SUMMARY_OPENING =
  "Another language model started to solve this problem and produced a summary of its thinking process. You also have access to the state of the tools that were used by that language model. Use this to build on the work that has already been done and avoid duplicating work. Here is the summary produced by the other language model, use the information in this summary to assist with your own analysis:";
