/** What the sources are called on the page, and the mark and the colour that tell them apart. */
export interface SourceLook {
  readonly label: string;
  readonly short: string;
  readonly mark: string;
  readonly colour: string;
  /** Corners of the mark, so that it is told apart without its colour, too. */
  readonly corners: string;
}

const SOURCES: Readonly<Record<string, SourceLook>> = {
  "copilot-cli": {
    ...{ label: "GitHub Copilot CLI", short: "Copilot CLI", mark: "›" },
    ...{ colour: "light-dark(#4a4d52, #b7babf)", corners: "4px" },
  },
  vscode: {
    ...{ label: "GitHub Copilot Chat in VS Code", short: "VS Code", mark: "V" },
    ...{ colour: "light-dark(#2b6cb8, #6fb0ef)", corners: "50%" },
  },
  "claude-code": {
    ...{ label: "Claude Code", short: "Claude Code", mark: "C" },
    ...{ colour: "light-dark(#a6552f, #e09a74)", corners: "4px 8px" },
  },
  codex: {
    ...{ label: "Codex CLI", short: "Codex CLI", mark: "X" },
    ...{ colour: "light-dark(#0f766e, #5fc9bd)", corners: "8px 4px" },
  },
};

export const isSource = (id: string): boolean => Object.hasOwn(SOURCES, id);

/** One that this page has not heard of is called by its id. */
export const sourceOf = (id: string): SourceLook =>
  (isSource(id) ? SOURCES[id] : undefined) ?? {
    ...{ label: id, short: id, mark: id.slice(0, 1).toUpperCase() || "?" },
    ...{ colour: "var(--ink-3)", corners: "4px" },
  };
