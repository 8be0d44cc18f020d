/** Names of sessions in addresses: `source:id`, and on a hub `source:id@machine`. */
export interface SessionKey {
  readonly source: string;
  readonly id: string;
  /** What a hub calls it: two machines may have copies of one session. */
  readonly hubSession?: string;
}

export const toKey = ({ source, id, hubSession }: SessionKey): string => hubSession ?? `${source}:${id}`;

export function fromKey(key: string): SessionKey {
  const at = key.indexOf(":");
  return at < 0 ? { source: "", id: key } : { source: key.slice(0, at), id: key.slice(at + 1) };
}
