/** What the page and the worker that highlights say to each other. */

export interface HighlightRequest {
  readonly id: number;
  readonly code: string;
  readonly language: string;
}

/** So many characters of one kind; an empty kind is plain. */
export type Piece = readonly [length: number, kind: string];

export interface HighlightAnswer {
  readonly id: number;
  /** None where the language is not known. */
  readonly lines: readonly (readonly Piece[])[];
}
