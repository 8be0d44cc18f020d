/** Every way to damage a file that the tests know, by name. */
import { BYTE_DAMAGES } from "./byte-damage.ts";
import { damageStructure, STRUCTURE_DAMAGES } from "./structure-damage.ts";

export interface Blow {
  readonly kind: string;
  /** A share of the file, from 0 to 1. */
  readonly where: number;
  /** What is done there, of what can be. */
  readonly pick: number;
}

export const CONTENT_DAMAGES: readonly string[] = [
  ...Object.keys(STRUCTURE_DAMAGES),
  ...Object.keys(BYTE_DAMAGES),
];

export function strike(path: string, bytes: Buffer, { kind, where, pick }: Blow): Buffer {
  const damage = BYTE_DAMAGES[kind];
  if (!damage) return damageStructure(path, bytes, kind, where, pick);
  return damage(bytes, Math.min(bytes.length, Math.floor(where * bytes.length)), 1 + (pick % 400));
}
