/** The next step as data, so that each surface can offer it in its own way: a command line, a button, a tool call. */

import { toShell } from "./text/shell-words.ts";
import { memberOf } from "./values/member.ts";

/**
 * Every step that is advised anywhere. `operands` are named by their place on a command line, `options` by their name;
 * `session` is the one that the step is about.
 */
export const ACTIONS = {
  blame: { operands: ["file"], options: [] },
  board: { operands: ["action", "name"], options: ["repo", "branch", "all", "unread"] },
  chat: { operands: ["session"], options: ["list", "workspace"] },
  chronicle: { operands: ["report"], options: ["repo", "since"] },
  checkpoint: { operands: ["action", "session"], options: [] },
  clone: {
    operands: ["session"],
    options: [
      ...(["to", "paths", "name", "dropTools", "tools", "dropThinking"] as const),
      ...(["dropOldest", "budget", "summarize", "with"] as const),
    ],
  },
  context: { operands: ["session"], options: [] },
  delete: { operands: ["session"], options: [] },
  demo: { operands: [], options: [] },
  diff: { operands: ["a", "b"], options: [] },
  doctor: { operands: [], options: ["source"] },
  export: { operands: ["session"], options: ["format", "redact", "out"] },
  fork: { operands: ["session"], options: [] },
  handoff: { operands: ["session"], options: ["to", "workspace", "name", "at", "budget", "asBrief"] },
  help: { operands: [], options: [] },
  history: { operands: [], options: ["verify", "repair"] },
  import: { operands: ["file"], options: ["to"] },
  index: { operands: [], options: ["rebuild", "copilot"] },
  list: { operands: [], options: ["source"] },
  migrate: { operands: [], options: ["from", "to"] },
  move: { operands: ["session"], options: ["from", "to", "map"] },
  rescue: { operands: ["session"], options: ["vscode"] },
  resume: { operands: ["session"], options: [] },
  rewind: { operands: ["session"], options: ["to"] },
  serve: { operands: [], options: ["readOnly", "host", "tlsCert", "tlsKey"] },
  show: { operands: ["session"], options: [] },
  sql: { operands: ["sql"], options: ["schema"] },
  undo: { operands: ["operation"], options: ["asCopy"] },
  workspaces: { operands: [], options: ["source"] },
} as const;

export type Action = keyof typeof ACTIONS;
type Named<A extends Action> = (typeof ACTIONS)[A]["operands" | "options"][number];

export type RemedyArgs<A extends Action> = NonNullable<RemedyOf<A>["args"]>;

interface RemedyOf<A extends Action> {
  readonly action: A;
  /** A name by which the session is found. */
  readonly session?: "session" extends Named<A> ? string : never;
  /** A switch is true. */
  readonly args?: Readonly<Partial<Record<Exclude<Named<A>, "session">, string | number | true>>>;
  /** What only the user can say, by the argument that it becomes: `{ to: "folder" }`, `{ session: "vscode:<id>" }`. */
  readonly asks?: Readonly<Partial<Record<Named<A>, string>>>;
  /** It is about the demo, not about this machine's own sessions. */
  readonly demo?: true;
}

export type Remedy = { readonly [A in Action]: RemedyOf<A> }[Action];

/** A remedy with the words that introduce it, and perhaps some that follow; what is no action of ours is words alone. */
export type Advice =
  | string
  | { readonly say: string; readonly remedy: Remedy /** With its punctuation. */; readonly after?: string };

export const remedyOf = (advice: Advice): Remedy | undefined =>
  typeof advice === "string" ? undefined : advice.remedy;

/** As it is typed into a shell. */
export function toCommand(remedy: Remedy): string {
  const { action, session, demo } = remedy;
  const args: Readonly<Record<string, string | number | true | undefined>> = { ...remedy.args, session };
  const asks: Readonly<Record<string, string | undefined>> = remedy.asks ?? {};
  const { operands, options } = ACTIONS[action];
  const wordsOf = (name: string): string[] => {
    const [value, ask] = [memberOf(args, name), memberOf(asks, name)];
    if (value !== undefined && value !== true) return [toShell([String(value)])];
    return ask === undefined ? [] : [ask.includes("<") ? ask : `<${ask}>`];
  };
  return [
    "rethread",
    action,
    ...operands.flatMap(wordsOf),
    ...options.flatMap((name) =>
      memberOf(args, name) === undefined && memberOf(asks, name) === undefined
        ? []
        : [toOption(name), ...wordsOf(name)],
    ),
    ...(demo ? ["--demo"] : []),
  ].join(" ");
}

/** The one sentence that a failure ends with. */
export function toHint(advice: Advice): string {
  if (typeof advice === "string") return advice;
  const { say, remedy, after = "" } = advice;
  return `${say}: ${toCommand(remedy)}${after}`;
}

/** The same sentence for those who look at the demo. */
export const adviceFor = (advice: Advice, isDemo: boolean): Advice =>
  isDemo && typeof advice !== "string" ? { ...advice, remedy: inDemo(advice.remedy) } : advice;

/** The same step for sessions of the demo; making the demo is none. */
export const inDemo = (remedy: Remedy): Remedy =>
  remedy.action === "demo" ? remedy : { ...remedy, demo: true };

const toOption = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
