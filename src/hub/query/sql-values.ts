/** The values of a query's rows: texts, numbers and NULL, as the local store gives them. */
import pg from "pg";

type Parse = (text: string) => string | number;

const { BOOL, INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC, OID, BYTEA, TIMESTAMPTZ } = pg.types.builtins;

/** Integers beyond 2^53 stay texts. */
const toNumber: Parse = (text) => {
  const number = Number(text);
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))
    ? number
    : text;
};
const toText: Parse = (text) => text;

const PARSERS: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  ...[INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC, OID].map((type): [number, Parse] => [type, toNumber]),
  [BOOL, (text) => (text === "t" ? 1 : 0)],
  [BYTEA, (text) => text.replace(/^\\x/, "")],
  [TIMESTAMPTZ, (text) => text.replace(" ", "T").replace(/\+00$/, "Z")],
]);

export const VALUE_TYPES = {
  getTypeParser: (type: number): Parse => PARSERS.get(type) ?? toText,
} as unknown as pg.CustomTypesConfig;
