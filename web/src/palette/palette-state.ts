/** Whether the palette and the list of keys are open. */
import { createStore } from "../lib/store.ts";

export const paletteOpen = createStore(false);
export const keysOpen = createStore(false);
