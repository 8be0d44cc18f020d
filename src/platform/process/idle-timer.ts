/** How long nothing may be heard. The clock runs only between `begin` and `end`. */
export interface Silence {
  begin(): void;
  end(): void;
  /** From now on less is borne. */
  shorten(limitMs: number): void;
  /** Nothing more is expected. */
  over(): void;
}

export function createSilence(firstLimitMs: number, tooLong: () => void): Silence {
  let limitMs = firstLimitMs;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const begin = (): void => {
    end();
    if (!isOver) timer = setTimeout(tooLong, limitMs);
  };
  return {
    begin,
    end,
    shorten(to) {
      limitMs = to;
      if (timer) begin();
    },
    over() {
      isOver = true;
      end();
    },
  };
}
