/** What is wrong in the agents' homes, told while sessions are read: how far it is, and what was found so far. */
import type { Diagnosis, Finding } from "../../app/contract.ts";
import { toDiagnosisJson } from "../../present/json/answers.ts";
import { toFindingJson } from "../../present/json/shapes.ts";
import { withoutWaiting } from "../emitting.ts";
import { defineStream, type Emit } from "../operation.ts";
import { diagnosisFields, doctor, findings } from "./doctor.ts";

export type Examined =
  | { readonly kind: "progress"; readonly done: number; readonly total: number }
  | { readonly kind: "found"; readonly problems: readonly Finding[] }
  | { readonly kind: "finished"; readonly diagnosis: Diagnosis };

/** Nobody reads faster. */
const TOLD_EVERY_MS = 100;

export const examine = defineStream({
  name: "examine",
  kind: "stream",
  summary: "Report what is wrong with sessions as it is found, and at last the whole answer of `doctor`",
  input: doctor.input,
  output: (z) =>
    z.discriminatedUnion("kind", [
      z.object({
        kind: z.literal("progress"),
        done: z.int().describe("how many sessions were read; then their surroundings are looked at"),
        total: z.int(),
      }),
      z.object({
        kind: z.literal("found"),
        problems: findings(z).describe("of sessions that were just read; `finished` has them again"),
      }),
      z.object({ kind: z.literal("finished"), ...diagnosisFields(z) }),
    ]),
  async run(app, input, emit: Emit<Examined>, call = {}) {
    const items = withoutWaiting(emit);
    let found: Finding[] = [];
    let toldAt = Number.NEGATIVE_INFINITY;
    const tell = (): void => {
      if (found.length > 0) items.emit({ kind: "found", problems: found });
      found = [];
    };
    const diagnosis = await app.doctor(
      input,
      {
        ...call,
        onProgress({ done, total }) {
          if (performance.now() - toldAt < TOLD_EVERY_MS && done < total) return;
          toldAt = performance.now();
          tell();
          items.emit({ kind: "progress", done, total });
        },
      },
      (some) => void found.push(...some),
    );
    tell();
    items.emit({ kind: "finished", diagnosis });
    await items.taken();
  },
  toJson(item) {
    if (item.kind === "progress") return item;
    return item.kind === "found"
      ? { kind: item.kind, problems: item.problems.map(toFindingJson) }
      : { kind: item.kind, ...toDiagnosisJson(item.diagnosis) };
  },
});
