/** The keys of a file: line by line, run by run, and to the session. */
import { useShortcuts } from "../../keys/keys.ts";

export interface LineMoves {
  move(by: number): void;
  /** To the next run of lines that came together, or the one before. */
  jump(by: 1 | -1): void;
  open(): void;
  leave(): void;
}

const group = "Blame";

export function useLineKeys({ move, jump, open, leave }: LineMoves): void {
  useShortcuts([
    { keys: "j", label: "Next line", group, isKeyOnly: true, run: () => move(1) },
    { keys: "k", label: "Previous line", group, isKeyOnly: true, run: () => move(-1) },
    { keys: "down", label: "Next line", group, isKeyOnly: true, run: () => move(1) },
    { keys: "up", label: "Previous line", group, isKeyOnly: true, run: () => move(-1) },
    { keys: "]", label: "Next turn or commit", group, isKeyOnly: true, run: () => jump(1) },
    { keys: "[", label: "Previous turn or commit", group, isKeyOnly: true, run: () => jump(-1) },
    { keys: "enter", label: "Open the session at the turn", group, isKeyOnly: true, run: open },
    { keys: "escape", label: "Select no line", group, isKeyOnly: true, run: leave },
  ]);
}
