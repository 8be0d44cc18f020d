/** Turns Ctrl-C and SIGTERM into an AbortSignal. */

/** By convention, the exit code names the signal that ended the process. */
const EXIT_CODES: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143 };

export interface Interrupt {
  readonly signal: AbortSignal;
  /** The exit code of the signal, once one has arrived. */
  readonly code: number | undefined;
}

/** Runs work with a signal that is aborted by Ctrl-C or SIGTERM. A second one ends the process at once. */
export async function interruptible<T>(work: (interrupt: Interrupt) => Promise<T>): Promise<T> {
  const control = new AbortController();
  let code: number | undefined;
  const hear = (name: NodeJS.Signals): void => {
    if (code !== undefined) process.exit(code);
    code = EXIT_CODES[name];
    control.abort();
  };
  for (const name of Object.keys(EXIT_CODES)) process.on(name, hear);
  try {
    return await work({
      signal: control.signal,
      get code() {
        return code;
      },
    });
  } finally {
    for (const name of Object.keys(EXIT_CODES)) process.off(name, hear);
  }
}

/** Resolves once the signal is aborted. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
