/** Tells by its first bytes which line makes no event, so that readers who skim need not parse it. */
const HEAD = 160;
const START = Buffer.from('{"timestamp":"');

const UNNEEDED =
  /^\{"timestamp":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)",(?:"ordinal":\d+,)?"type":(?:"world_state"|"event_msg","payload":\{"type":"(?:agent_message|user_message|thread_settings_applied|task_started)")[,}]/;

/** The time of an unneeded line; nothing when the line must be parsed. */
export function timeOfUnneeded(bytes: Buffer, start: number, end: number): string | undefined {
  // Most lines begin alike; only an object that ends as one is passed over.
  if (bytes[end - 1] !== 0x7d || bytes.compare(START, 0, START.length, start, start + START.length) !== 0)
    return undefined;
  return UNNEEDED.exec(bytes.toString("latin1", start, Math.min(end, start + HEAD)))?.[1];
}
