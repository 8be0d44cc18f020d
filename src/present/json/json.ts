/** Prints readable JSON: one line for each field, and one for each item of a list. */

/** Valid JSON may still hold bytes that a terminal obeys; escaped, they are the same value. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029]/g;

export const jsonLine = (value: unknown): string =>
  JSON.stringify(value).replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

export function jsonDocument(fields: Readonly<Record<string, unknown>>): string {
  const writer = createJsonWriter();
  const body = Object.entries(fields).map(([name, value]) =>
    Array.isArray(value)
      ? writer.openList(name) + value.map((item) => writer.item(item)).join("") + writer.closeList()
      : writer.field(name, value),
  );
  return body.join("") + writer.end();
}

export interface JsonWriter {
  field(name: string, value: unknown): string;
  openList(name: string): string;
  item(value: unknown): string;
  closeList(): string;
  end(): string;
}

/** The same document piece by piece, for lists too long to hold. */
export function createJsonWriter(): JsonWriter {
  let fields = 0;
  let items = 0;
  const name = (text: string): string => `${fields++ === 0 ? "{" : ","}\n  ${jsonLine(text)}: `;
  return {
    field: (key, value) => name(key) + jsonLine(value),
    openList(key) {
      items = 0;
      return `${name(key)}[`;
    },
    item: (value) => `${items++ === 0 ? "" : ","}\n    ${jsonLine(value)}`,
    closeList: () => (items === 0 ? "]" : "\n  ]"),
    end: () => "\n}\n",
  };
}
