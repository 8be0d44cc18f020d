/** Numbers in the text format that Prometheus reads. */

export type Labels = Readonly<Record<string, string>>;

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: readonly Sample[];
}

export interface Sample {
  /** `_bucket`, `_sum` and `_count` of a histogram. */
  readonly suffix?: string;
  readonly labels?: Labels;
  readonly value: number;
}

export const MEDIA = "text/plain; version=0.0.4; charset=utf-8";

export const expose = (families: readonly Family[]): string => families.flatMap(linesOf).join("");

function linesOf({ name, help, type, samples }: Family): string[] {
  return [
    `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${type}\n`,
    ...samples.map(
      ({ suffix = "", labels = {}, value }) =>
        `${name}${suffix}${formatLabels(labels)} ${formatNumber(value)}\n`,
    ),
  ];
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`,
  );
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const formatNumber = (value: number): string => (value === Number.POSITIVE_INFINITY ? "+Inf" : String(value));

export const gauge = (name: string, help: string, samples: readonly Sample[] | number): Family => ({
  name,
  help,
  type: "gauge",
  samples: typeof samples === "number" ? [{ value: samples }] : samples,
});

export interface Counter {
  add(labels?: Labels, by?: number): void;
  family(): Family;
}

export function createCounter(name: string, help: string): Counter {
  const counts = new Map<string, { readonly labels: Labels; value: number }>();
  return {
    add(labels = {}, by = 1) {
      const key = JSON.stringify(labels);
      const known = counts.get(key) ?? { labels, value: 0 };
      known.value += by;
      counts.set(key, known);
    },
    family: () => ({ name, help, type: "counter", samples: [...counts.values()] }),
  };
}

export interface Histogram {
  observe(labels: Labels, value: number): void;
  family(): Family;
}

export function createHistogram(name: string, help: string, bounds: readonly number[]): Histogram {
  const all = [...bounds, Number.POSITIVE_INFINITY];
  const series = new Map<string, { readonly labels: Labels; readonly counts: number[]; sum: number }>();
  return {
    observe(labels, value) {
      const key = JSON.stringify(labels);
      const known = series.get(key) ?? { labels, counts: all.map(() => 0), sum: 0 };
      known.sum += value;
      for (const [at, bound] of all.entries())
        if (value <= bound) known.counts[at] = (known.counts[at] ?? 0) + 1;
      series.set(key, known);
    },
    family: () => ({
      name,
      help,
      type: "histogram",
      samples: [...series.values()].flatMap(({ labels, counts, sum }): Sample[] => [
        ...all.map((bound, at) => ({
          suffix: "_bucket",
          labels: { ...labels, le: formatNumber(bound) },
          value: counts[at] ?? 0,
        })),
        { suffix: "_sum", labels, value: sum },
        { suffix: "_count", labels, value: counts.at(-1) ?? 0 },
      ]),
    }),
  };
}
