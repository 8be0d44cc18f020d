import { defineSource } from "../source.ts";

export default defineSource({
  id: "claude-code",
  label: "Claude Code",
  locate: () => [],
  scan: async () => undefined,
  read: async () => {
    throw new Error("not written yet");
  },
});
