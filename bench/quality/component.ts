/** What there is to talk about in the made-up sessions: a part of some program, and what was once done to it. */

export interface Component {
  /** As people call it. */
  readonly name: string;
  readonly does: string;
  /** The folder it lies in, and its repository. */
  readonly project: string;
  /** Its source, its test, and a file beside it. */
  readonly files: readonly [string, string, string];
  /** Identifiers in it. */
  readonly names: readonly [string, string, string];
  readonly bug: {
    readonly symptom: string;
    readonly error: string;
    readonly cause: string;
    readonly cure: string;
    /** Asked and answered a turn later. */
    readonly detail: readonly [string, string];
    readonly command: string;
    readonly pr: number;
  };
  readonly wish: { readonly ask: string; readonly made: string };
  readonly slow: { readonly ask: string; readonly cause: string; readonly cure: string };
  readonly upgrade: { readonly ask: string; readonly broke: string; readonly cure: string };
}
