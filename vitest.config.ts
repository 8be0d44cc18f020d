import { defineConfig } from "vitest/config";

/** Two projects: `unit` needs nothing but this package; `real` runs the vendors' own programs from test/real/. */
export default defineConfig({
  test: {
    // The machines are small, but much of the time goes by waiting: for disks, and for programs that wait themselves.
    maxWorkers: 3,
    setupFiles: ["test/setup.ts"],
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: ["test/real/**", "**/node_modules/**"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
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
