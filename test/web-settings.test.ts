/** The page of settings has words of its own for every setting. */
import { expect, it } from "vitest";
import { IN_FILE } from "../src/app/settings-schema.ts";
import { wordsOf } from "../web/src/pages/settings/words.ts";

it.each(Object.keys(IN_FILE.shape))("names %s, and says what it does", (name) => {
  const { label, about } = wordsOf(name);
  expect(label).toMatch(/^[A-Z][a-z]+ /);
  expect(about).toMatch(/\.$/);
});
