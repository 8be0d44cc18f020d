/** Turns Ctrl-C and SIGTERM into an AbortSignal. */

/** By convention, whoever ends because of a signal says which. */
const EXIT_CODES: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143 };

export interface Interrupt {
  readonly signal: AbortSignal;
  /** The exit code that tells what interrupted it, once something has. */
  readonly code: number | undefined;
}

/** Runs work that ends by itself when it is told to. Who asks a second time does not want to wait for that. */
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
