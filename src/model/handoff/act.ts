/** What a tool call does, in terms that every program's tools can be told in. */

export type Act =
  | { readonly kind: "shell"; readonly command: string; readonly why?: string; readonly background?: true }
  /** Lines count from 1, both ends included. */
  | { readonly kind: "read"; readonly path: string; readonly from?: number; readonly to?: number }
  | { readonly kind: "write"; readonly path: string; readonly text: string }
  | {
      readonly kind: "edit";
      readonly path: string;
      readonly old: string;
      readonly new: string;
      readonly all?: true;
    }
  /** In the form that `apply_patch` takes. */
  | { readonly kind: "patch"; readonly text: string }
  | { readonly kind: "search"; readonly pattern: string; readonly path?: string; readonly glob?: string }
  | { readonly kind: "find"; readonly pattern: string; readonly path?: string }
  | { readonly kind: "list"; readonly path: string }
  | { readonly kind: "todo"; readonly items: readonly TodoItem[] }
  | { readonly kind: "fetch"; readonly url: string; readonly question?: string }
  | { readonly kind: "delegate"; readonly task: string; readonly prompt: string };

export interface TodoItem {
  readonly text: string;
  readonly status: "open" | "active" | "done";
}

export type ActOf<K extends Act["kind"]> = Extract<Act, { kind: K }>;

/** An act as a call was read, and the arguments of the call that it does not tell. */
export interface ReadAct {
  readonly act: Act;
  readonly unused: readonly string[];
}

/** A call as a program's model would make it. */
export interface VendorCall {
  readonly name: string;
  readonly input: unknown;
}

/** The tools of one program, in both directions. Pure. */
export interface ToolVocabulary {
  /** Nothing for a tool that only this program has. */
  actOf(name: string, input: unknown): ReadAct | undefined;
  /** Nothing where the program has no such tool. `workspace` is where relative paths start. */
  callFor(act: Act, workspace: string | undefined): VendorCall | undefined;
}
