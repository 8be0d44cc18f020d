/** Puts the demo's own notes on its board, as if people had written them. */
import { OWN_NOTES } from "../../demo/board.ts";
import { seedBoard } from "../../store/state/board.ts";

const DAY_MS = 24 * 60 * 60_000;

export const writeDemoBoard = (folder: string, now: () => Date): void =>
  seedBoard(
    folder,
    now,
    OWN_NOTES.map(({ changed, ...note }) => {
      const at = new Date(now().getTime() - changed * DAY_MS).toISOString();
      return { ...note, createdAt: at, updatedAt: at, evidence: [], facts: [] };
    }),
  );
