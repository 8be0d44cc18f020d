/** Which rows of a list are checked: all of them at first, and what comes later, too. */
import { useState } from "react";

export interface Chosen {
  has(id: string): boolean;
  toggle(id: string, isChecked: boolean): void;
  setAll(ids: readonly string[], isChecked: boolean): void;
}

export function useChosen(): Chosen {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const set = (ids: readonly string[], isChecked: boolean): void =>
    setLeft((before) => {
      const after = new Set(before);
      for (const id of ids)
        if (isChecked) after.delete(id);
        else after.add(id);
      return after;
    });
  return {
    has: (id) => !left.has(id),
    toggle: (id, isChecked) => set([id], isChecked),
    setAll: set,
  };
}
