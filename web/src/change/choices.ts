/** What is chosen in the form of a change, and the input of the operation that it becomes. */
import type { ChangeKind, ChangeRequest } from "./change.ts";

/** In the place of a program: text for one whose sessions nobody can write. */
export const BRIEFING = "briefing";

export type ToolRule = "keep" | "truncate" | "oldest" | "drop";
export type TurnRule = "keep" | "percent" | "count";

/** One form for all kinds; each kind shows those of its own. */
export interface Choices {
  readonly to: string;
  readonly paths: "existing" | "keep" | "rewrite";
  readonly name: string;
  readonly tools: ToolRule;
  readonly toolChars: number;
  readonly toolPercent: number;
  readonly dropThinking: boolean;
  readonly turns: TurnRule;
  readonly turnPercent: number;
  readonly turnCount: number;
  /** Nothing where no budget is set. */
  readonly budget: number | undefined;
  readonly summarize: boolean;
  /** The last turn that is kept; nothing for all. */
  readonly turn: number | undefined;
  readonly files: boolean;
  readonly outside: boolean;
  readonly inPlace: boolean;
  readonly keep: number;
  readonly append: boolean;
  readonly from: string;
  readonly text: boolean;
  readonly source: string;
  /** The program that takes the session. */
  readonly target: string;
  readonly adopt: boolean;
  readonly file: string;
  readonly newId: boolean;
  readonly operation: string;
  readonly ignoreLock: boolean;
}

const DEFAULTS: Choices = {
  to: "",
  paths: "existing",
  name: "",
  tools: "keep",
  toolChars: 2000,
  toolPercent: 80,
  dropThinking: false,
  turns: "keep",
  turnPercent: 50,
  turnCount: 5,
  budget: undefined,
  summarize: false,
  turn: undefined,
  files: false,
  outside: false,
  inPlace: false,
  keep: 3,
  append: false,
  from: "",
  text: false,
  source: "vscode",
  target: "",
  adopt: true,
  file: "",
  newId: false,
  operation: "",
  ignoreLock: false,
};

/** The form as it opens: what the request says, in the terms of the operation's input. */
export function startingChoices({ kind, input = {} }: ChangeRequest): Choices {
  const text = (name: string): string => (typeof input[name] === "string" ? input[name] : "");
  const isOn = (name: string): boolean => input[name] === true;
  const turn = input[kind === "rewind" ? "to" : "at"];
  return {
    ...DEFAULTS,
    to: kind === "rewind" ? "" : text(kind === "handoff" ? "workspace" : "to"),
    target: kind === "handoff" ? text("to") : "",
    from: text("from"),
    name: text(kind === "checkpoint-create" ? "title" : "name"),
    file: text("file"),
    operation: text("operation"),
    ...(typeof input.source === "string" && { source: input.source }),
    ...toolChoices(input.tools),
    ...turnChoices(input.dropOldest),
    dropThinking: isOn("dropThinking"),
    summarize: isOn("summarize"),
    files: isOn("files"),
    inPlace: isOn("inPlace"),
    append: isOn("append"),
    budget: isCount(input.budget) ? input.budget : undefined,
    turn: isCount(turn) ? turn : undefined,
    ...(isCount(input.keep) && { keep: input.keep }),
  };
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;

function toolChoices(tools: unknown): Partial<Choices> {
  if (tools === "drop") return { tools };
  if (typeof tools !== "object" || tools === null) return {};
  if ("oldest" in tools && isCount(tools.oldest)) return { tools: "oldest", toolPercent: tools.oldest };
  if ("truncate" in tools && isCount(tools.truncate)) return { tools: "truncate", toolChars: tools.truncate };
  return {};
}

function turnChoices(share: unknown): Partial<Choices> {
  if (typeof share !== "object" || share === null) return {};
  if ("percent" in share && isCount(share.percent)) return { turns: "percent", turnPercent: share.percent };
  if ("count" in share && isCount(share.count)) return { turns: "count", turnCount: share.count };
  return {};
}

/** One operation with its input. */
export interface Ask {
  readonly operation: ChangeKind;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What to plan; or what is still to be said, in words, before there is a plan. */
export type Wanted = { readonly asks: readonly Ask[] } | { readonly missing: string };

export function toWanted(kind: ChangeKind, sessions: readonly string[], choices: Choices): Wanted {
  const [session] = sessions;
  const { to, from, name, file, operation, turn, keep, source } = choices;
  const lock = choices.ignoreLock && { ignoreLock: true };
  const one = (input: Ask["input"]): Wanted => ({
    asks: [{ operation: kind, input: { ...input, ...lock } }],
  });
  const about = (input: Ask["input"]): Wanted =>
    session === undefined ? { missing: "Choose a session." } : one({ session, ...input });
  const named = name.trim() !== "" && { name: name.trim() };
  switch (kind) {
    case "clone":
      return about({
        ...(to !== "" && { to, ...(choices.paths !== "existing" && { paths: choices.paths }) }),
        ...named,
        ...toReduction(choices),
      });
    case "fork":
      return about({ ...(turn !== undefined && { at: turn }), ...named });
    case "rewind":
      return turn === undefined
        ? { missing: "Choose the last turn to keep." }
        : about({
            to: turn,
            ...(choices.files && { files: true, ...(choices.outside && { outside: true }) }),
            ...(choices.inPlace && { inPlace: true }),
          });
    case "compact":
      return about({ ...(choices.append ? { append: true } : { keep }) });
    case "checkpoint-create":
      return about(name.trim() === "" ? {} : { title: name.trim() });
    case "move": {
      const which =
        sessions.length > 0 ? { sessions } : from.trim() === "" ? undefined : { from: from.trim() };
      if (!which) return { missing: "Name the folder whose sessions move." };
      return to.trim() === ""
        ? { missing: "Name the folder to move to." }
        : one({ ...which, to: to.trim(), ...(choices.text && { text: true }) });
    }
    case "rename":
      return name.trim() === "" ? { missing: "Write the new name." } : about({ name: name.trim() });
    case "delete":
      return session === undefined ? { missing: "Choose a session." } : one({ sessions });
    case "rescue":
      return session === undefined
        ? { missing: "Choose a session." }
        : { asks: sessions.map((each) => ({ operation: kind, input: { session: each, ...lock } })) };
    case "rescue-all": {
      // Sessions of other programs, which are repaired one by one, go with it as one write.
      const all = { operation: kind, input: { source, ...(!choices.adopt && { adopt: false }), ...lock } };
      const others = sessions.map((each) => ({
        operation: "rescue" as const,
        input: { session: each, ...lock },
      }));
      return { asks: [...(source === "" ? [] : [all]), ...others] };
    }
    case "import":
      return file.trim() === ""
        ? { missing: "Choose the file to import." }
        : one({
            file: file.trim(),
            ...named,
            ...(to.trim() !== "" && { to: to.trim() }),
            ...(choices.newId && { newId: true }),
          });
    case "handoff":
      if (choices.target === BRIEFING) return { missing: "A briefing writes nothing." };
      return choices.target === ""
        ? { missing: "Choose the program that continues the session." }
        : about({
            to: choices.target,
            ...(to.trim() !== "" && { workspace: to.trim() }),
            ...named,
            ...(turn !== undefined && { at: turn }),
            ...(choices.budget !== undefined && choices.budget > 0 && { budget: choices.budget }),
          });
    case "undo":
      return one(operation === "" ? {} : { operation });
    case "backup-copy":
      return one({
        ...(operation !== "" && { operation }),
        ...(to.trim() !== "" && { to: to.trim() }),
      });
  }
}

/** What a smaller copy leaves out, in the terms of `clone` and of exports. */
export function toReduction(choices: Choices): {
  readonly tools?: "drop" | { readonly oldest: number } | { readonly truncate: number };
  readonly dropThinking?: true;
  readonly dropOldest?: { readonly percent: number } | { readonly count: number };
  readonly budget?: number;
  readonly summarize?: true;
} {
  const { tools, turns, budget } = choices;
  const isShorter = turns !== "keep" || budget !== undefined;
  return {
    ...(tools === "drop" && { tools }),
    ...(tools === "oldest" && { tools: { oldest: choices.toolPercent } }),
    ...(tools === "truncate" && { tools: { truncate: choices.toolChars } }),
    ...(choices.dropThinking && { dropThinking: true }),
    ...(turns === "percent" && { dropOldest: { percent: choices.turnPercent } }),
    ...(turns === "count" && { dropOldest: { count: choices.turnCount } }),
    ...(budget !== undefined && budget > 0 && { budget }),
    ...(isShorter && choices.summarize && { summarize: true }),
  };
}
