/** What the sources are called on the page, and the mark that tells them apart without colour. */
const SOURCES: Readonly<Record<string, { label: string; short: string; mark: string }>> = {
  "copilot-cli": { label: "GitHub Copilot CLI", short: "Copilot CLI", mark: "›" },
  vscode: { label: "GitHub Copilot Chat in VS Code", short: "VS Code", mark: "V" },
  "claude-code": { label: "Claude Code", short: "Claude Code", mark: "C" },
};

export const sourceOf = (id: string): { label: string; short: string; mark: string } =>
  SOURCES[id] ?? { label: id, short: id, mark: id.slice(0, 1).toUpperCase() || "?" };
