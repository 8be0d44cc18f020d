import { defineConfig } from "vitest/config";

/** Two projects: `unit` needs nothing but this package; `real` runs the vendors' own programs from test/real/. */
export default defineConfig({
  test: {
    // The real programs are heavy and the machines small: two workers keep a run predictable.
    maxWorkers: 2,
    setupFiles: ["test/setup.ts"],
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: ["test/real/**", "**/node_modules/**"],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: "real",
          include: ["test/real/**/*.test.ts"],
          exclude: ["**/node_modules/**"],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
