/** What the lens shows, as the API answers it. */
import type { Answer } from "../../../../../src/client/types.ts";

export type LensAnswer = Answer<"lens">;
export type Share = LensAnswer["shares"][number];
export type Passage = LensAnswer["passages"][number];
export type LensBudget = NonNullable<LensAnswer["budget"]>;
