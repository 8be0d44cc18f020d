/** Lets a person choose one of many sessions: type to filter, move with the arrows. Loaded only when it opens. */
import { type Readable, Writable } from "node:stream";
import { isCancel, Prompt } from "@clack/core";
import type { Session } from "../model/session/session.ts";
import { formatKey } from "../model/values/id.ts";
import { memberOf } from "../model/values/member.ts";
import type { Style } from "../present/text/style.ts";
import { type PickerState, pickedLine, pickerFrame, pickerRows } from "./print/terminal/picker-frame.ts";

export interface PickerOptions {
  readonly question: string;
  readonly input: Readable;
  readonly output: Writable & { readonly columns?: number; readonly rows?: number };
  /** The width where the terminal does not know its own. */
  readonly columns: number;
  readonly style: Style;
  readonly now: Date;
  lastPrompt(session: Session): Promise<string | undefined>;
}

class SessionPrompt extends Prompt<Session> {
  get caret(): number {
    return this._cursor;
  }
}

/** Nothing when the person left without choosing. */
export async function pickSession(
  sessions: readonly Session[],
  { question, input, style, now, lastPrompt, ...options }: PickerOptions,
): Promise<Session | undefined> {
  const match = createFilter(sessions);
  const output = sizedOutput(options);
  const screen = () => ({ style, now, columns: output.columns, rows: output.rows });
  let state: Omit<PickerState, "lastPrompt"> = {
    question,
    typed: "",
    caret: 0,
    sessions,
    total: sessions.length,
    at: 0,
    top: 0,
  };
  const chosen = (): Session | undefined => state.sessions[state.at];

  const prompts = new Map<string, string | undefined>();
  let isAsking = false;
  /** Only one question at a time, and then the one for the session that is chosen by that time. */
  const askForPrompt = async (): Promise<void> => {
    for (
      let session = chosen();
      session && !isAsking && !prompts.has(formatKey(session));
      session = chosen()
    ) {
      isAsking = true;
      // A preview that cannot be had is no reason to fail.
      prompts.set(formatKey(session), await lastPrompt(session).catch(() => undefined));
      isAsking = false;
      // A prompt draws itself when the size of the terminal changes, and has no other call for it.
      if (prompt.state === "active") output.emit("resize");
    }
  };

  const prompt: SessionPrompt = new SessionPrompt({
    input,
    output,
    validate: () => (chosen() ? undefined : "nothing matches"),
    render() {
      const session = chosen();
      if (prompt.state === "cancel") return "";
      if (prompt.state === "submit" && session) return pickedLine(question, session, screen());
      const known = session && prompts.get(formatKey(session));
      return pickerFrame({ ...state, lastPrompt: known }, screen());
    },
  });
  const moveTo = (place: number): void => {
    const at = Math.max(0, Math.min(state.sessions.length - 1, place));
    const height = pickerRows(screen().rows);
    const top = Math.min(at, Math.max(state.top, at - height + 1));
    state = { ...state, at, top };
    prompt.value = chosen();
    void askForPrompt();
  };
  prompt.on("key", (_, { name, ctrl, shift }) => {
    const height = pickerRows(screen().rows);
    // Without this, the end of the input would leave the question open.
    if (ctrl && name === "d") prompt.state = "cancel";
    const step = ctrl
      ? { p: -1, n: 1 }
      : { up: -1, down: 1, pageup: -height, pagedown: height, tab: shift ? -1 : 1 };
    moveTo(state.at + (memberOf<number>(step, name ?? "") ?? 0));
  });
  prompt.on("userInput", (typed) => {
    const isNew = typed !== state.typed;
    state = {
      ...state,
      typed,
      caret: prompt.caret,
      ...(isNew && { sessions: match(typed), at: 0, top: 0 }),
    };
    if (isNew) moveTo(0);
  });
  moveTo(0);
  const answer = await prompt.prompt();
  output.release();
  return isCancel(answer) ? undefined : answer;
}

/** The terminal, which knows its size for certain: some say that they have no columns. */
function sizedOutput({ output, columns }: Pick<PickerOptions, "output" | "columns">) {
  const sized = new Writable({
    write(chunk, _, done) {
      output.write(chunk);
      done();
    },
  });
  const resize = (): void => void sized.emit("resize");
  output.on("resize", resize);
  return Object.defineProperties(sized, {
    columns: { get: () => output.columns || columns },
    rows: { get: () => output.rows || 24 },
    release: { value: () => output.off("resize", resize) },
  }) as Writable & { readonly columns: number; readonly rows: number; release(): void };
}

/**
 * Every word must be in the title, folder, repository, branch or source, or begin the id; the order of sessions stays.
 * Within an id, any two digits can be found, which would help nobody.
 */
export function createFilter(sessions: readonly Session[]): (typed: string) => readonly Session[] {
  const texts = sessions.map(({ title, workspace, repository, branch, source }) =>
    [title, workspace, repository, branch, source].join("\n").toLowerCase(),
  );
  const ids = sessions.map(({ source, id }) => [id.toLowerCase(), `${source}:${id}`.toLowerCase()]);
  return (typed) => {
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return sessions;
    const fits = (place: number, word: string): boolean =>
      texts[place]?.includes(word) === true || ids[place]?.some((id) => id.startsWith(word)) === true;
    return sessions.filter((_, place) => words.every((word) => fits(place, word)));
  };
}
