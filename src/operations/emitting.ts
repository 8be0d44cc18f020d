/** Items of work that cannot wait for whoever takes them. */
import type { Emit } from "./operation.ts";

export interface Emitting<A> {
  emit(item: A): void;
  /** When all items are taken; rejects with what the first of them failed with. */
  taken(): Promise<void>;
}

export function withoutWaiting<A>(emit: Emit<A>): Emitting<A> {
  let last: Promise<unknown> = Promise.resolve();
  return {
    emit(item) {
      last = Promise.all([last, emit(item)]);
      // The failure is reported by `taken`.
      last.catch(() => undefined);
    },
    taken: async () => void (await last),
  };
}
