/** Finds the string values in the bytes of a JSON text, so that single ones can be replaced and all other bytes stay. */

export interface StringValue {
  /** The names of the objects' members that lead to it; arrays add none. Only valid during the call. */
  readonly path: readonly string[];
  /** Where it stands, quotes included. */
  readonly start: number;
  readonly end: number;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST, COMMA, COLON] = [0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x3a];

/** The text must be valid JSON. Numbers, literals and white space are passed over. */
export function eachString(json: Buffer, visit: (value: StringValue) => void): void {
  const path: string[] = [];
  const isObject: boolean[] = [];
  let isKey = false;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case QUOTE: {
        const end = endOfString(json, at);
        if (isKey) path[path.length - 1] = JSON.parse(json.toString("utf8", at, end)) as string;
        else visit({ path, start: at, end });
        at = end - 1;
        break;
      }
      case OPEN:
        isObject.push(true);
        path.push("");
        isKey = true;
        break;
      case OPEN_LIST:
        isObject.push(false);
        isKey = false;
        break;
      case CLOSE:
        path.pop();
        isObject.pop();
        isKey = false;
        break;
      case CLOSE_LIST:
        isObject.pop();
        isKey = false;
        break;
      case COMMA:
        isKey = isObject.at(-1) ?? false;
        break;
      case COLON:
        isKey = false;
    }
  }
}

function endOfString(json: Buffer, quote: number): number {
  for (let at = json.indexOf(QUOTE, quote + 1); at >= 0; at = json.indexOf(QUOTE, at + 1)) {
    let slashes = 0;
    while (json[at - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return json.length;
}
