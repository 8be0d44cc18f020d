/** What an answer of a hub lacks while one of its servers is down. */
import { plural } from "./measure.ts";

/** Nothing where it lacks nothing. */
export const unreachableText = (people: readonly string[] | undefined = []): string | undefined =>
  people.length === 0
    ? undefined
    : `without the sessions of ${people.length === 1 ? people[0] : plural(people.length, "person", "people")}, whose server does not answer`;
