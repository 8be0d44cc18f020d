import { defineSource } from "../source.ts";

export default defineSource({
  id: "vscode",
  label: "GitHub Copilot Chat in VS Code",
  locate: () => [],
  scan: async () => undefined,
  read: async () => {
    throw new Error("not written yet");
  },
});
