/** A place in a session, as people type it. */

/** Digits are a turn, anything else the id of an event. */
export const toTurnOrEvent = (text: string): number | string =>
  /^\d{1,9}$/.test(text) ? Number(text) : text;
