/**
 * Reads and sets own members of objects whose keys come from outside data. A plain object also has inherited members
 * such as `constructor`, and setting `__proto__` changes its prototype. `test/outside-data.test.ts` checks that nothing
 * else in `src/` reads or sets a member by an arbitrary key.
 */

/** The object's own member of that name, or nothing. */
export const memberOf = <T>(object: Readonly<Record<string, T>>, key: string | number): T | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** Sets the object's own member, whatever its name. */
export function setMember<T>(object: Record<string, T>, key: string | number, value: NoInfer<T>): void {
  if (key === "__proto__")
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}
