/** Notices that an answer lacks something: whoever passes the answer on has to pass them on with it. */

const SO_FAR = "this answer uses what it has so far";
const NOT_YET = "are not in the store yet";

export const STILL_UPDATING = `Another rethread is updating the store; ${SO_FAR}`;
export const STILL_COPYING = `The copy of the store without secrets is not complete yet; ${SO_FAR}`;
export const stillPending = (sessions: number, bytes: number): string =>
  `${sessions} changed sessions (${Math.ceil(bytes / 1e6)} MB) ${NOT_YET}; index them with`;

/** There is more to read, which the next question would read on. */
export const saysPending = (notice: string): boolean => notice.includes(NOT_YET);

export const saysIncomplete = (notice: string): boolean =>
  notice.includes(SO_FAR) || notice.includes(NOT_YET);
