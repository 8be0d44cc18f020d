/** Stands in for Copilot CLI: it answers every message, and keeps none. */
export const SCRIPTED_COPILOT = `#!/usr/bin/env node
const words = process.argv.slice(2);
const sessionId = words.find((word) => /^--(session-id|resume)=/.test(word))?.split("=")[1];
if (words.includes("--version")) console.log("1.0.102");
else if (words.includes("--help")) console.log("--resume --session-id --output-format");
else {
  console.log(JSON.stringify({ type: "assistant.message", data: { content: "Noted" } }));
  console.log(JSON.stringify({ type: "result", sessionId, exitCode: 0 }));
}
`;
