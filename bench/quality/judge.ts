/** How good a list of answers is. Pure: it knows ranks, not searches. */

export interface Judgement {
  readonly kind: string;
  /** Place of the first right session, from 1; none when it is not in the list. */
  readonly rank?: number;
  /** Whether the best turn shown of it is the one that answers; none when the question names no turn. */
  readonly rightTurn?: boolean;
}

export interface Quality {
  readonly questions: number;
  readonly hitAt1: number;
  readonly hitAt5: number;
  /** Mean of 1/rank, 0 for what was not found. */
  readonly mrr: number;
}

export function toQuality(judgements: readonly Judgement[]): Quality {
  const share = (of: (judgement: Judgement) => number): number =>
    judgements.reduce((sum, judgement) => sum + of(judgement), 0) / judgements.length;
  const within = (places: number) => (judgement: Judgement) => Number((judgement.rank ?? Infinity) <= places);
  return {
    questions: judgements.length,
    hitAt1: share(within(1)),
    hitAt5: share(within(5)),
    mrr: share(({ rank }) => (rank === undefined ? 0 : 1 / rank)),
  };
}
