/** How long the tools of a story run: uneven, as real ones are, and the same every time it is told. */
import type { StoryTool } from "./story.ts";

/** In milliseconds. Commands take seconds, files next to nothing. */
export function toolMs(tool: StoryTool): number {
  const text = tool.does === "run" ? tool.command : tool.path;
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) % 9_973;
  if (tool.does !== "run") return 20 + (sum % 180);
  const isLong = /\b(test|vitest|pytest|build|install|bench|cargo|gradle|flutter)\b/.test(text);
  return isLong ? 2_000 + sum : 200 + (sum % 1_800);
}
