/** Translates a conversation for another program: calls under the names of its tools, text for what it has no place for. */
import { createHash } from "node:crypto";
import type { SourceId } from "../session/session.ts";
import { type Relocation, relocate } from "../values/relocate.ts";
import type { Act, ToolVocabulary } from "./act.ts";
import type { Call, Conversation, Picture, Prompt, Reply } from "./conversation.ts";
import { createTally, type Fidelity, type FidelityTally } from "./fidelity.ts";
import { APART, escapeLabels, type ProgramNames, toLabel, withFileLabels } from "./labels.ts";

/** What a program has a place for, beside texts and calls. */
export interface Carries {
  readonly thinking: boolean;
  /** Files that are attached to a prompt, by their paths. */
  readonly files: boolean;
  /** The media types of pictures that its model takes. */
  readonly images: readonly string[];
}

export interface TranslateOptions {
  readonly to: { readonly source: SourceId; readonly tools: ToolVocabulary; readonly carries: Carries };
  /** The tools of the programs that calls come from. */
  toolsOf(source: SourceId): ToolVocabulary | undefined;
  readonly names: ProgramNames;
  /** Where relative paths start. */
  readonly workspace: string | undefined;
  /** To the folder that it is about there, where that is another one. */
  readonly relocation?: Relocation | undefined;
}

export interface Translation {
  /** All calls are the other program's own, with ids that every service takes. */
  readonly conversation: Conversation;
  readonly fidelity: Fidelity;
}

export function translate(given: Conversation, options: TranslateOptions): Translation {
  const tally = createTally();
  const ids = createCallIds();
  const turns = given.turns.map(({ prompt, replies, ...turn }) => ({
    ...turn,
    ...(prompt && { prompt: translatePrompt(prompt, options, tally) }),
    replies: replies.map((reply) => translateReply(reply, options, tally, ids)),
  }));
  if (given.summary) tally.count("native", "summaries");
  tellLeftBehind(given, options, tally);
  return { conversation: { ...given, turns }, fidelity: tally.result() };
}

function translatePrompt(given: Prompt, options: TranslateOptions, tally: FidelityTally): Prompt {
  const { relocation } = options;
  const files = given.files.map((file) => ({
    ...file,
    path: (relocation && relocate(file.path, relocation)) ?? file.path,
  }));
  const prompt = { ...given, files };
  const { carries, source } = options.to;
  tally.count("native", "prompts");
  const images = takePictures(prompt.images, options, tally);
  tally.count(carries.files ? "native" : "text", "attachments", prompt.files.length);
  if (carries.files || prompt.files.length === 0) return { ...prompt, images };
  tally.because(`${options.names.labelOf(source)} attaches no files by their path; the prompt names them`);
  return { ...prompt, images, text: withFileLabels(prompt.text, prompt.files), files: [] };
}

function translateReply(
  reply: Reply,
  options: TranslateOptions,
  tally: FidelityTally,
  newId: (id: string) => string,
): Reply {
  const { thinking, ...rest } = reply;
  const texts = [escapeLabels(reply.text)];
  const calls: Call[] = [];
  if (reply.text.trim() !== "") tally.count("native", "answers");
  for (const call of reply.calls) {
    const own = translateCall(call, options, tally);
    if (own) {
      tally.count("native", "calls");
      const images = takePictures(call.result.images, options, tally);
      calls.push({ ...own, id: newId(call.id), result: { ...call.result, images } });
      continue;
    }
    tally.count("text", "calls");
    tally.because(`${options.names.labelOf(options.to.source)} has no such tool`, call.name);
    tally.count("dropped", "images", call.result.images.length);
    texts.push(toLabel(call, options.names));
  }
  if (thinking !== undefined) tally.count(options.to.carries.thinking ? "native" : "dropped", "thinking");
  return {
    ...rest,
    ...(thinking !== undefined && options.to.carries.thinking && { thinking }),
    text: texts.filter((text) => text !== "").join(APART),
    calls,
  };
}

/** Nothing where the other program has no such tool. */
function translateCall(call: Call, options: TranslateOptions, tally: FidelityTally): Call | undefined {
  const { source, tools } = options.to;
  const read = options.toolsOf(call.vendor)?.actOf(call.name, call.input);
  if (call.vendor === source) return { ...call, ...(read && { act: read.act }) };
  const act = read && moveAct(read.act, options.relocation);
  const own = act && tools.callFor(act, options.relocation?.to ?? options.workspace);
  if (!own) return undefined;
  for (const key of read.unused)
    tally.because("Options of calls that the other tool does not have were left out", `${call.name}.${key}`);
  return { ...call, ...own, vendor: source, act };
}

/** The file or folder that a call is about follows; commands, patches and other texts stay as they are. */
function moveAct(act: Act, relocation: Relocation | undefined): Act {
  const path = "path" in act ? act.path : undefined;
  const moved = relocation && path !== undefined ? relocate(path, relocation) : undefined;
  return moved === undefined ? act : ({ ...act, path: moved } as Act);
}

function takePictures(
  images: readonly Picture[],
  { to, names }: TranslateOptions,
  tally: FidelityTally,
): readonly Picture[] {
  const taken = images.filter(({ type }) => to.carries.images.includes(type));
  tally.count("native", "images", taken.length);
  tally.count("dropped", "images", images.length - taken.length);
  for (const { type } of images)
    if (!to.carries.images.includes(type))
      tally.because(`${names.labelOf(to.source)} takes no such pictures`, type);
  return taken;
}

function tellLeftBehind(
  { left, session }: Conversation,
  { names }: TranslateOptions,
  tally: FidelityTally,
): void {
  const program = names.labelOf(session.source);
  tally.count("dropped", "reminders", left.reminders);
  if (left.reminders > 0)
    tally.because(`Reminders that ${program} adds for its own model are not handed over`);
  tally.count("dropped", "images", left.images);
  if (left.images > 0) tally.because("The bytes of some pictures are not in the session");
  tally.count("dropped", "attachments", left.attachments);
  if (left.attachments > 0) tally.because("Some attachments name no file that could be attached again");
}

/** What every model service takes, and what no program makes into a path or a number. */
const GOOD_ID = /^[a-zA-Z_][a-zA-Z0-9_-]{2,63}$/;

/** Keeps ids where it can; each is given out once. */
function createCallIds(): (id: string) => string {
  const taken = new Set<string>();
  return (id) => {
    for (let count = 0; ; count++) {
      const made =
        count === 0 && GOOD_ID.test(id)
          ? id
          : `call_${createHash("sha256").update(`${count}/${id}`).digest("hex").slice(0, 24)}`;
      if (taken.has(made)) continue;
      taken.add(made);
      return made;
    }
  };
}
