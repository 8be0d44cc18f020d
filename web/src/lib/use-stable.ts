/** The same object for as long as it says the same, so that what depends on it is not done again. */
import { useMemo } from "react";

export function useStable<T extends object>(value: T): T {
  const text = JSON.stringify(value);
  return useMemo(() => JSON.parse(text) as T, [text]);
}
