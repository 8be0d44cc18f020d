import { defineSource } from "../source.ts";

export default defineSource({
  id: "copilot-cli",
  label: "GitHub Copilot CLI",
  locate: () => [],
  scan: async () => undefined,
  read: async () => {
    throw new Error("not written yet");
  },
});
