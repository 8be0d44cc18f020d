/** The keys of the search page while the cursor is not in its field. */
import { useShortcuts } from "../../keys/keys.ts";

export interface HitMoves {
  move(by: number): void;
  open(): void;
  preview(): void;
  closePreview(): void;
  readonly isPreviewing: boolean;
  readonly hasCurrent: boolean;
}

const group = "Search";

export function useHitKeys(moves: HitMoves): void {
  const next = (): void => moves.move(1);
  const previous = (): void => moves.move(-1);
  useShortcuts([
    { keys: "down", label: "Next hit", group, isKeyOnly: true, run: next },
    { keys: "up", label: "Previous hit", group, isKeyOnly: true, run: previous },
    { keys: "j", label: "Next hit", group, isKeyOnly: true, run: next },
    { keys: "k", label: "Previous hit", group, isKeyOnly: true, run: previous },
    { keys: "enter", label: "Open the hit at its turn", group, isKeyOnly: true, run: moves.open },
    { keys: "right", label: "Preview the turn", group, isKeyOnly: true, run: moves.preview },
    { keys: "left", label: "Close the preview", group, isKeyOnly: true, run: moves.closePreview },
    { keys: "escape", label: "Close the preview", group, isKeyOnly: true, run: moves.closePreview },
  ]);
}
