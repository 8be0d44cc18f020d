/** Where a person finds what a write replaced. */
import type { EditPlan } from "../../model/plan.ts";
import { vaultFolder } from "../../store/vault/files.ts";

/**
 * The copy of a database that the write left beside it, else the vault, where `undo` finds the bytes of files by their
 * hashes. Nothing for a write that only added files.
 */
export function backupPathOf(home: string, { steps }: Pick<EditPlan, "steps">): string | undefined {
  const copy = steps.find((step) => step.does === "set")?.copy;
  const hasReplaced = steps.some(({ does }) => does === "replace" || does === "remove");
  return copy ?? (hasReplaced ? vaultFolder(home) : undefined);
}
