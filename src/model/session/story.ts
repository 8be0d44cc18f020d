/** A vendor-neutral conversation, from which a source can compose a session for its program. */

export interface Story {
  readonly id: string;
  readonly title: string;
  /** Absolute path of the folder the work was about. */
  readonly workspace: string;
  readonly repository?: string;
  readonly branch?: string;
  readonly createdAt: string;
  readonly model: string;
  readonly turns: readonly StoryTurn[];
  /** By their absolute paths, the files as they were before; what the turns did to files is recorded then. */
  readonly files?: Readonly<Record<string, string>>;
  /** Written as a fork of this session. The first `keep` turns were copied from it (all, when not said). */
  readonly forkOf?: { readonly id: string; readonly title: string; readonly keep?: number };
}

export interface StoryTurn {
  readonly at: string;
  readonly user: string;
  /** What is attached to the prompt. */
  readonly images?: readonly StoryImage[];
  readonly steps: readonly StoryStep[];
  /** The program summarized everything up to here after this turn. */
  readonly compaction?: { readonly title: string; readonly overview: string };
}

/** A picture in a file. */
export interface StoryImage {
  readonly path: string;
  readonly type: string;
  /** Base64. */
  readonly data: string;
}

export type StoryStep =
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "think"; readonly text: string }
  | {
      readonly kind: "tool";
      readonly tool: StoryTool;
      readonly ok: boolean;
      readonly output: string;
      /** What was read is this picture. */
      readonly image?: StoryImage;
    };

/** What was done, independent of the vendor's tool name. */
export type StoryTool =
  | { readonly does: "run"; readonly command: string; readonly why: string }
  | { readonly does: "read"; readonly path: string }
  | { readonly does: "search"; readonly pattern: string; readonly path: string }
  | { readonly does: "create"; readonly path: string; readonly text: string }
  | { readonly does: "edit"; readonly path: string; readonly before: string; readonly after: string };
