/** A plan is carried out, by its fingerprint. */
import type { App, EditWrite, KeptPlan, VendorRows } from "../../app/contract.ts";
import { toRescuedJson, toVendorRowsJson, toWriteJson } from "../../present/json/plan.ts";
import { defineOperation, type Schema, type Zod } from "../operation.ts";
import { changes, toChangesJson } from "../schemas/instructions.ts";
import {
  alsoFields,
  checkpointFields,
  copyFields,
  copyPathFields,
  fidelityFields,
  filesFields,
  fingerprint,
  ledgerFields,
  moveFields,
  operationName,
  outcomeFields,
  type plan,
  planFields,
  removedFields,
  repairFields,
  serverFields,
  vendorRows,
} from "../schemas/plan.ts";
import { redactionList } from "../schemas/sync.ts";

/** What became of a plan: with the operation, once it is carried out. */
export type Outcome = Omit<EditWrite, "operation"> & { readonly operation: string | null };

export const toOutcomeJson = ({ plan: made, ...write }: Outcome, home: Pick<App, "demo">) => ({
  ...toWriteJson(made, write, home),
  ...(made.kind === "rescue" && toRescuedJson(made, home)),
  ...(made.kind === "improve" && { changes: toChangesJson(made.instructions ?? []) }),
});

export const apply = defineOperation({
  name: "apply",
  kind: "change",
  summary: "Carry out a plan, once",
  input: (z) => z.strictObject({ fingerprint: fingerprint(z) }),
  output: (z) =>
    z.object({
      operation: z.string().describe("the name of this write, for `undo`"),
      ...planFields(z),
      ...outcomeFields(z),
      // Which of these it has depends on its kind.
      ...z
        .object({
          ...moveFields(z),
          ...filesFields(z),
          ...removedFields(z),
          ...alsoFields(z),
          ...ledgerFields(z),
          ...checkpointFields(z),
          ...repairFields(z),
          ...copyFields(z),
          ...copyPathFields(z),
          ...fidelityFields(z),
          changes: changes(z),
          redactions: redactionList(z),
          ...serverFields(z),
        })
        .partial().shape,
    }),
  run: async (app, input, call) => (await app.edit()).apply(input.fingerprint, call),
  toJson: (write, home) => ({ ...toOutcomeJson(write, home), operation: write.operation }),
});

export const previewVendorRows = defineOperation({
  name: "preview-vendor-rows",
  kind: "question",
  summary: "Say what a plan will mean for the rows that agents' own databases have of its sessions",
  input: (z) => z.strictObject({ fingerprint: fingerprint(z) }),
  output: (z) => z.object({ ownRows: vendorRows(z) }),
  run: async (app, input, call) => (await app.edit()).previewVendorRows(input.fingerprint, call),
  toJson: (ownRows, home) => ({ ownRows: toVendorRowsJson(ownRows, home) }),
});

/** What a command prints that plans and then carries out: the plan, and what became of it. */
export const written = (output: Schema<ReturnType<typeof plan>>) => (z: Zod) => {
  const { fingerprint: _, expiresAt: __, ...fields } = output(z).shape;
  return z.object({ operation: operationName(z), ...fields, ...outcomeFields(z) });
};

/** A plan that was only made. */
export const unwritten = (plan: KeptPlan, ownRows: readonly VendorRows[]): Outcome => ({
  operation: null,
  plan,
  ownRows,
  notices: [],
});
