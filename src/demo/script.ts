/**
 * The notation of demo stories, which reads like the conversation it tells:
 *
 *     > What the user asks.
 *     @think
 *     | What the agent thinks.
 *     @run npm test # why it is run
 *     | what it printed
 *     @edit src/a.ts
 *     - old line
 *     + new line
 *     Everything else is what the agent says, in markdown.
 *
 * Also: `@read path`, `@search pattern in path`, `@create path`; `@failed run …` for a tool that went wrong; `@attach path`
 * below a prompt for a picture that goes with it, `@look path` for one that the agent reads (`pictures.ts` has them);
 * `@after 20h` before a prompt that came after a rest; `@compacted Title` when the program summarized what came before.
 * An acute accent stands for a backtick, which a template literal would need escaped: ´code´.
 */
import type { StoryImage, StoryStep, StoryTool } from "../model/session/story.ts";
import { pictureAt } from "./pictures.ts";

export interface ScriptTurn {
  readonly user: string;
  readonly images?: readonly StoryImage[];
  readonly steps: readonly StoryStep[];
  /** How long the session rested before this turn; some minutes when not said. */
  readonly after?: string;
  readonly compaction?: { readonly title: string; readonly overview: string };
}

type OpenTurn = { -readonly [K in keyof ScriptTurn]: ScriptTurn[K] } & { steps: StoryStep[] };

/** What stands together: a prompt, a mark with the lines below it, or a stretch of speech. */
interface Block {
  /** `>` for a prompt, empty for speech, else the word after the `@`. */
  readonly mark: string;
  readonly words: string;
  readonly lines: readonly string[];
}

const FENCE = "```";
const PROMPT = /^>(?: |$)/;
const MARK = /^@(\w+) ?(.*)$/;
/** A line below a mark that belongs to it: text after a bar, or the two sides of an edit. */
const BELOW = /^[|+-](?: |$)/;

export function parseScript(script: string): ScriptTurn[] {
  const turns: OpenTurn[] = [];
  let after: string | undefined;
  for (const { mark, words, lines } of toBlocks(dedent(script.replaceAll("´", "`")))) {
    const turn = turns.at(-1);
    if (mark === ">") {
      turns.push({ user: unwrap(lines), steps: [], ...(after !== undefined && { after }) });
      after = undefined;
    } else if (mark === "after") after = words;
    else if (!turn) throw new Error(`a story begins with a prompt, not with "${mark || lines[0]}"`);
    else if (mark === "attach") turn.images = [...(turn.images ?? []), pictureAt(words)];
    else if (mark === "compacted") turn.compaction = { title: words, overview: unwrap(lines.map(inner)) };
    else turn.steps.push(toStep(mark, words, lines));
  }
  return turns;
}

function toBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let speech: string[] = [];
  let fenced = false;
  const endSpeech = (): void => {
    if (speech.some((line) => line !== "")) blocks.push({ mark: "", words: "", lines: speech });
    speech = [];
  };
  for (let at = 0; at < lines.length; ) {
    const line = lines[at++] ?? "";
    const [, mark, words = ""] = MARK.exec(line) ?? [];
    const prompt = PROMPT.test(line);
    if (line.startsWith(FENCE)) fenced = !fenced;
    if (fenced || (mark === undefined && !prompt)) {
      speech.push(line);
      continue;
    }
    endSpeech();
    const start = at;
    const belongs = prompt ? PROMPT : BELOW;
    while (belongs.test(lines[at] ?? "")) at++;
    const below = lines.slice(start, at);
    if (prompt) blocks.push({ mark: ">", words: "", lines: [line, ...below].map(inner) });
    else blocks.push({ mark: mark ?? "", words, lines: below });
  }
  endSpeech();
  return blocks;
}

function toStep(mark: string, words: string, lines: readonly string[]): StoryStep {
  if (mark === "") return { kind: "say", text: unwrap(lines).trim() };
  if (mark === "think") return { kind: "think", text: unwrap(lines.map(inner)) };
  if (mark === "failed") {
    const [, does = "", rest = ""] = MARK.exec(`@${words}`) ?? [];
    return { kind: "tool", tool: toTool(does, rest, lines), ok: false, output: toText(lines) };
  }
  if (mark === "look") {
    const tool = { does: "read", path: words } as const;
    return { kind: "tool", tool, ok: true, output: "", image: pictureAt(words) };
  }
  const tool = toTool(mark, words, lines);
  const output =
    tool.does === "create"
      ? `Created ${tool.path}`
      : tool.does === "edit"
        ? `Edited ${tool.path}`
        : toText(lines);
  return { kind: "tool", tool, ok: true, output };
}

function toTool(does: string, words: string, lines: readonly string[]): StoryTool {
  const side = (sign: string): string => toText(lines.filter((line) => line.startsWith(sign)));
  switch (does) {
    case "run": {
      const [command, why] = cutAtLast(words, " # ");
      return { does, command, why };
    }
    case "search": {
      const [pattern, path] = cutAtLast(words, " in ");
      return { does, pattern, path };
    }
    case "read":
      return { does, path: words };
    case "create":
      return { does, path: words, text: `${toText(lines)}\n` };
    case "edit":
      return { does, path: words, before: side("-"), after: side("+") };
    default:
      throw new Error(`not a mark of the story notation: "@${does} ${words}"`);
  }
}

/** A line without the sign in front of it. */
const inner = (line: string): string => line.slice(2);
const toText = (lines: readonly string[]): string => lines.map(inner).join("\n");

function cutAtLast(text: string, separator: string): [string, string] {
  const at = text.lastIndexOf(separator);
  if (at < 0) throw new Error(`"${separator.trim()}" is missing in "${text}"`);
  return [text.slice(0, at), text.slice(at + separator.length)];
}

/** Lines of one paragraph or list item become one, as agents write them; code, tables and headings stay as they are. */
function unwrap(lines: readonly string[]): string {
  const out: string[] = [];
  let fenced = false;
  let open = false;
  for (const line of lines) {
    const fence = line.startsWith(FENCE);
    const text = !fence && !fenced && line !== "";
    if (text && open && !/^\s*(?:[-*] |\d+\. |#|\|)/.test(line)) out.push(`${out.pop()} ${line.trim()}`);
    else out.push(line);
    open = text && !/^[#|]/.test(line);
    if (fence) fenced = !fenced;
  }
  return out.join("\n");
}

/** The lines without the indentation they only have because they stand in code. */
function dedent(text: string): string[] {
  const lines = text.replace(/^\n/, "").trimEnd().split("\n");
  const indent = Math.min(...lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(indent));
}
