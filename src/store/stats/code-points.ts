/**
 * Orders texts as SQLite does, by code points. JavaScript's own order differs where one has signs beyond U+FFFF, which it
 * keeps as two units that come before some others.
 */
export function byCodePoints(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  for (let i = 0; i < most; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
