/**
 * Members of objects whose keys come from outside. A plain object also answers to `constructor` or `toString`, which it
 * only inherits, and setting `__proto__` changes what it inherits: neither is a member. `test/outside-data.test.ts` sees that
 * nothing else in `src/` reads or sets a member by a key that is any text.
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
