/** Whether the dialog about Copilot CLI's own index is open; any view may open it. */
import { createStore } from "../lib/store.ts";

export const copilotIndexOpen = createStore(false);
