/** The settings of a session: mode, model, plan, compactions; the last value of each counts. */
import { asString } from "../../log/jsonl.ts";
import type { Role } from "../log/event-type.ts";
import { roleOf } from "../log/event-types.ts";
import { toEvents } from "../log/events.ts";
import { type CopilotRecord, isMain } from "../log/records.ts";

export interface LastCompaction {
  readonly summary: string;
  readonly title?: string;
  /** Its number among the checkpoints. */
  readonly checkpoint?: number;
}

export interface SessionSettings {
  /** "interactive", "plan", "autopilot" or "shell". */
  readonly mode: string;
  /** What the next request goes to; nothing where the user's own setting decides. */
  readonly model?: string;
  readonly hasPlan: boolean;
  /** How often older turns were replaced by a summary. */
  readonly compactions: number;
  readonly lastCompaction?: LastCompaction;
  readonly isCompacting: boolean;
  /** The agent is at work: a turn was begun and has not ended. */
  readonly isWorking: boolean;
}

export interface SettingsFold {
  push(record: CopilotRecord): void;
  state(): SessionSettings;
}

export function createSettings(): SettingsFold {
  let mode = "interactive";
  let model: string | undefined;
  let hasPlan = false;
  let compactions = 0;
  let lastCompaction: LastCompaction | undefined;
  let isCompacting = false;
  let isWorking = false;

  const rest = (): void => {
    isCompacting = false;
    isWorking = false;
  };
  const handlers: Partial<Record<Role, (record: CopilotRecord) => void>> = {
    start: ({ data }) => {
      model = asString(data.selectedModel);
    },
    // Whatever a killed process was doing, the one that resumes starts from rest.
    resume: ({ data }) => {
      rest();
      model = asString(data.selectedModel) ?? model;
    },
    shutdown: rest,
    abort: rest,
    "model-change": ({ data }) => {
      model = asString(data.newModel);
    },
    "model-deselected": () => {
      model = undefined;
    },
    "mode-change": ({ data }) => {
      mode = asString(data.newMode) ?? mode;
    },
    prompt: ({ data }) => {
      mode = asString(data.agentMode) ?? mode;
    },
    "plan-change": ({ data }) => {
      hasPlan = data.operation !== "delete";
    },
    "turn-start": () => {
      isWorking = true;
    },
    "turn-end": () => {
      isWorking = false;
    },
    "compaction-start": () => {
      isCompacting = true;
    },
    compaction: (record) => {
      isCompacting = false;
      const done = compactionIn(record);
      if (!done) return;
      compactions++;
      lastCompaction = done;
    },
  };
  return {
    push(record) {
      const role = isMain(record) ? roleOf(record.type) : undefined;
      if (role) handlers[role]?.(record);
    },
    state: () => ({
      mode,
      hasPlan,
      compactions,
      isCompacting,
      isWorking,
      ...(model !== undefined && { model }),
      ...(lastCompaction && { lastCompaction }),
    }),
  };
}

/** Nothing for one that came to nothing. */
function compactionIn(record: CopilotRecord): LastCompaction | undefined {
  const origin = { line: 0, start: 0, end: 0 };
  const events = toEvents(record, { origin, agent: undefined, textLimit: Number.POSITIVE_INFINITY, cut: 0 });
  const event = events.find((it) => it.kind === "compaction");
  if (!event) return undefined;
  const { summary, title, checkpoint } = event;
  return {
    summary,
    ...(title !== undefined && { title }),
    ...(checkpoint !== undefined && { checkpoint }),
  };
}
