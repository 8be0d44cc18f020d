/** Applies a change once no running program would write over it. */
import { dirname } from "node:path";
import type { App, Blocker, Call, EditWrite, KeptPlan } from "../../app/contract.ts";
import { AppError } from "../../model/errors.ts";
import type { EditPlan } from "../../model/plan.ts";
import { defineOperation } from "../operation.ts";
import { apply } from "./apply.ts";

export const blockers = defineOperation({
  name: "blockers",
  kind: "question",
  summary: "Say which running programs would overwrite a change of files, such as VS Code's list of chats",
  input: (z) => z.strictObject({ paths: z.array(z.string().min(1)).describe("the files that would change") }),
  output: (z) =>
    z.object({
      blockers: z.array(
        z.object({
          pid: z.int(),
          program: z.string().nullable().describe("the name of the program, or null where it is not known"),
        }),
      ),
    }),
  run: async (app, { paths }, call) => (await app.edit()).blockers(paths, call),
  toJson: (found) => ({ blockers: found.map(({ pid, program = null }) => ({ pid, program })) }),
});

export interface Waiting {
  /** Makes the plan; again after each wait, because what was planned before may no longer be so. */
  plan(): Promise<KeptPlan>;
  /** Called before a program is waited for, and again when it is another one. None are named where only its lock shows. */
  onWait(blockers: readonly Blocker[]): void | Promise<void>;
  /** Until it is time to look again. Throws where the wait is over. */
  pause(): Promise<void>;
  /** Asked right before the write, with the plan that is applied; when it gives false, nothing is written. */
  begin?(plan: KeptPlan, hasWaited: boolean): Promise<boolean>;
  readonly call?: Call;
}

/** Nothing where `begin` said so, or the plan turned out to have no steps: then there is only the plan. */
export async function applyWhenClosed(
  app: App,
  first: KeptPlan | undefined,
  { plan, onWait, pause, begin = async () => true, call }: Waiting,
): Promise<{ readonly plan: KeptPlan; readonly write?: EditWrite }> {
  let made = first;
  let hasWaited = false;
  let told: string | undefined;
  const wait = async (found: readonly Blocker[]): Promise<void> => {
    const names = found.map(({ pid }) => pid).join();
    if (names !== told) await onWait(found);
    told = names;
    hasWaited = true;
    await pause();
  };
  for (;;) {
    try {
      made ??= await plan();
      const paths = pathsOf(made);
      const find = (): Promise<Blocker[]> => blockers.run(app, { paths }, call);
      let found = await find();
      if (found.length === 0) {
        if (made.steps.length === 0 || !(await begin(made, hasWaited))) return { plan: made };
        return { plan: made, write: await apply.run(app, { fingerprint: made.fingerprint }, call) };
      }
      for (; found.length > 0; found = await find()) await wait(found);
    } catch (error) {
      if (!(error instanceof AppError && error.code === "vscode-running")) throw error;
      await wait([]);
    }
    made = undefined;
  }
}

/** Locks are looked for in the folders around a file, so one file of each folder is enough; databases are opened themselves. */
export function pathsOf({ steps }: Pick<EditPlan, "steps">): string[] {
  const byFolder = new Map<string, string>();
  for (const { does, path, as = path } of steps)
    for (const each of new Set([as, path])) byFolder.set(does === "set" ? each : dirname(each), each);
  return [...byFolder.values()];
}
