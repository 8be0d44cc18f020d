/** How messages are sent, remembered in this browser. */
export interface Choices {
  readonly model: string;
  readonly allowsTools: boolean;
}

const KEY = "rethread.chat";

export function readChoices(): Choices {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, unknown>;
    return {
      model: typeof kept.model === "string" ? kept.model : "",
      allowsTools: kept.allowsTools !== false,
    };
  } catch {
    return { model: "", allowsTools: true }; // storage may be off
  }
}

export function keepChoices(choices: Choices): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(choices));
  } catch {
    // They last as long as the page, then.
  }
}
