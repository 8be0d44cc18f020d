/** Names of sessions in addresses: `source:id`. */
export interface SessionKey {
  readonly source: string;
  readonly id: string;
}

export const toKey = ({ source, id }: SessionKey): string => `${source}:${id}`;

export function fromKey(key: string): SessionKey {
  const at = key.indexOf(":");
  return at < 0 ? { source: "", id: key } : { source: key.slice(0, at), id: key.slice(at + 1) };
}
