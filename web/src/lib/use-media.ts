/** Whether the page is as a media query says, and when that changes. */
import { useSyncExternalStore } from "react";

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
  );
}

/** One column, the rail at the bottom. */
export const useNarrow = (): boolean => useMedia("(max-width: 700px)");
