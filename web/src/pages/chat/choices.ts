/** How messages are sent, remembered in this browser. */
export interface Choices {
  readonly model: string;
  readonly allowsTools: boolean;
}

interface Kept {
  /** The agent of the last new conversation. */
  readonly agent?: string;
  /** By agent: none knows the models of another. */
  readonly models: Readonly<Record<string, string>>;
  readonly allowsTools: boolean;
}

const KEY = "rethread.chat";

function read(): Kept {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, unknown>;
    return {
      ...(typeof kept.agent === "string" && { agent: kept.agent }),
      models: Object.fromEntries(
        Object.entries(kept.models ?? {}).filter(([, model]) => typeof model === "string"),
      ),
      allowsTools: kept.allowsTools !== false,
    };
  } catch {
    return { models: {}, allowsTools: true }; // storage may be off
  }
}

function keep(some: Partial<Kept>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...read(), ...some }));
  } catch {
    // They last as long as the page, then.
  }
}

export function readChoices(agent: string): Choices {
  const { models, allowsTools } = read();
  return { model: models[agent] ?? "", allowsTools };
}

export const keepChoices = (agent: string, { model, allowsTools }: Choices): void =>
  keep({ models: { ...read().models, [agent]: model }, allowsTools });

export const readAgent = (): string | undefined => read().agent;
export const keepAgent = (agent: string): void => keep({ agent });
