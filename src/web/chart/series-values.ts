/** Values over time that one line or one layer of bars shows. */
export interface Series {
  readonly name: string
  /** Colour as a CSS value. */
  readonly color: string
  /** One a bucket; null where there is none. */
  readonly values: readonly (number | null)[]
  readonly isDotted?: boolean
  /** Value of the whole range, for the legend. */
  readonly total?: number | null | undefined
}

/** Colours of series in their order; the last one is for all others together. */
export const seriesColor = (index: number): string => `var(--c${Math.min(index + 1, 8)})`
