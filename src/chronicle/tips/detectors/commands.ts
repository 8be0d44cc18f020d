/** Detectors about commands and tools that fail. */
import { clip } from "../../../model/summary/summary.ts";
import type { CallRow } from "../../../store/chronicle/call-rows.ts";
import { bareCommand, isLooking, isShell, taskOf } from "../../commands.ts";
import { placeKey } from "../../places.ts";
import type { Evidence } from "../../report.ts";
import type { Habits } from "../habits.ts";
import { THRESHOLDS } from "../thresholds.ts";
import { count, type Detector, seenAt } from "./detector.ts";

const isCommand = ({ tool, label }: CallRow): boolean => isShell(tool) && label !== "";

/** Nothing was changed, and yet it is tried again. */
export const commandKeepsFailing: Detector = (habits) => {
  const evidence = [...habits.calls.values()].flatMap((calls) => failuresInARow(habits, calls));
  if (evidence.length === 0) return [];
  return [
    {
      kind: "command-keeps-failing",
      title: `The same command failed again and again, with nothing changed in between, in ${count(evidence.length, "place", "places")}`,
      suggestion:
        "Stop the agent at the second failure and give it what is missing: a running service, a login, a variable. What each session would find out anew belongs into the instructions of the repository.",
      evidence,
    },
  ];
};

function failuresInARow({ sessions, changingTools }: Habits, calls: readonly CallRow[]): Evidence[] {
  const rows = new Map<string, { times: number; turn: number }>();
  const found = new Map<string, { times: number; turn: number }>();
  for (const call of calls) {
    if (changingTools.has(call.tool) && call.status === "ok") rows.clear();
    if (!isCommand(call) || isLooking(call.label)) continue;
    if (call.status !== "failed") rows.delete(call.label);
    else {
      const row = { times: (rows.get(call.label)?.times ?? 0) + 1, turn: call.turn };
      rows.set(call.label, row);
      if (row.times >= THRESHOLDS.commandKeepsFailing.times) found.set(call.label, row);
    }
  }
  const session = calls[0]?.session ?? "";
  return [...found].flatMap(([command, { times, turn }]) =>
    seenAt({ sessions }, session, turn, `${clip(command, 80)}, ${times} times`),
  );
}

/** What each session tries first here, and what works. */
export interface WrongCommand {
  readonly place: string;
  readonly repository: string | undefined;
  readonly wrong: string;
  readonly right: string;
  readonly evidence: readonly Evidence[];
}

/** Pairs of commands for the same task of which the first failed and the second worked, in several sessions. */
export function wrongCommands(habits: Pick<Habits, "sessions" | "calls">): WrongCommand[] {
  const pairs = new Map<string, WrongCommand & { readonly sessions: Set<string> }>();
  for (const [key, calls] of habits.calls) {
    const session = habits.sessions.get(key);
    if (!session) continue;
    const commands = calls.filter(isCommand);
    for (const [at, call] of commands.entries()) {
      const right = call.status === "failed" ? workingAfter(commands, at) : undefined;
      if (!right) continue;
      const [wrong, good] = [bareCommand(call.label), bareCommand(right.label)];
      const place = placeKey(session);
      const name = [place, wrong, good].join("\n");
      const known = pairs.get(name);
      if (known?.sessions.has(key)) continue;
      pairs.set(name, {
        place,
        repository: session.repository,
        wrong,
        right: good,
        sessions: new Set([...(known?.sessions ?? []), key]),
        evidence: [...(known?.evidence ?? []), ...seenAt(habits, key, call.turn)],
      });
    }
  }
  return [...pairs.values()].filter(({ sessions }) => sessions.size >= THRESHOLDS.wrongCommandFirst.sessions);
}

/** Another command for the same task that worked soon after. */
function workingAfter(commands: readonly CallRow[], at: number): CallRow | undefined {
  const failed = commands[at];
  if (!failed || isLooking(failed.label)) return undefined;
  const task = taskOf(failed.label);
  return commands
    .slice(at + 1, at + 1 + THRESHOLDS.wrongCommandFirst.within)
    .find(
      ({ status, label }) =>
        status === "ok" && taskOf(label) === task && bareCommand(label) !== bareCommand(failed.label),
    );
}

export const wrongCommandFirst: Detector = (habits) =>
  wrongCommands(habits).map(({ repository, place, wrong, right, evidence }) => ({
    kind: "wrong-command-first",
    title: `In ${repository ?? place}, agents try \`${clip(wrong, 60)}\` before \`${clip(right, 60)}\`, which works`,
    suggestion: `Write "Use \`${clip(right, 60)}\`, not \`${clip(wrong, 60)}\`" into the instructions of the repository.`,
    evidence,
    remedy: {
      action: "chronicle",
      args: { report: "improve", ...(repository !== undefined && { repo: repository }) },
    },
  }));

/** Each failure is a request of the model for nothing. */
export const toolKeepsFailing: Detector = (habits) => {
  const { calls, sessions, share } = THRESHOLDS.toolKeepsFailing;
  return [...Map.groupBy(habits.failedCalls, ({ tool }) => tool)].flatMap(([tool, failed]) => {
    const all = habits.callCounts.get(tool) ?? 0;
    const held = new Map(failed.map((call) => [call.session, call]));
    if (isShell(tool) || all < calls || failed.length < share * all || held.size < sessions) return [];
    return [
      {
        kind: "tool-keeps-failing" as const,
        title: `The tool ${tool} failed in ${failed.length} of ${all} calls`,
        suggestion:
          "Look at one of these failures: renew a login, repair or remove the server that offers the tool, or tell the agent when to use another.",
        evidence: [...held.values()].flatMap(({ session, turn, label }) =>
          seenAt(habits, session, turn, label === "" ? undefined : clip(label, 80)),
        ),
      },
    ];
  });
};
