/** Terminal colors. */

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const;

export type Style = Readonly<Record<keyof typeof CODES, (text: string) => string>>;
export type Paint = (text: string) => string;

export function createStyle(color: boolean): Style {
  const paint = ([open, close]: readonly [number, number]): Paint =>
    color ? (text) => (text === "" ? "" : `\x1b[${open}m${text}\x1b[${close}m`) : (text) => text;
  return Object.fromEntries(Object.entries(CODES).map(([name, codes]) => [name, paint(codes)])) as Style;
}
