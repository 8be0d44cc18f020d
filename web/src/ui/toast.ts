/** Says something at the edge of the page for a while; shown by `toasts.tsx`. */
import type { ReactNode } from "react";
import { createStore } from "../lib/store.ts";

export interface Toast {
  readonly id: number;
  readonly text: ReactNode;
  readonly isError?: boolean;
  readonly action?: { readonly label: string; readonly run: () => void };
}

export const toasts = createStore<readonly Toast[]>([]);
let last = 0;
const SHOWN_MS = 6000;
/** What offers a way back, or went wrong, stays until it is read. */
const SHOWN_LONG_MS = 30_000;

export const dismiss = (id: number): void => toasts.set((before) => before.filter((each) => each.id !== id));

export function toast(what: Omit<Toast, "id">): void {
  const id = ++last;
  // The same is not said twice at a time.
  toasts.set((before) => [...before.filter(({ text }) => text !== what.text).slice(-3), { ...what, id }]);
  setTimeout(() => dismiss(id), what.isError || what.action ? SHOWN_LONG_MS : SHOWN_MS);
}
