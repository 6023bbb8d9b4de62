import type { Comparison, Conversion } from '../grammar.ts'

/** Segments of the JSON path to a part of the request: `body`, `query`, `$expr`, … */
export type Location = readonly string[]

export type Scalar = string | number | bigint | boolean | null

/**
 * A query expression as it was written. Its shape and bounds are checked; names and types are not.
 */
export type Syntax = { readonly at: Location } & (
  | { readonly kind: 'literal'; readonly value: Scalar }
  | { readonly kind: 'field'; readonly path: string }
  | { readonly kind: 'convert'; readonly input: Syntax; readonly to: Conversion }
  | { readonly kind: 'size'; readonly input: Syntax }
  | { readonly kind: 'and' | 'or'; readonly items: readonly Syntax[] }
  | { readonly kind: 'not'; readonly item: Syntax }
  | { readonly kind: 'compare'; readonly comparison: Comparison; readonly left: Syntax; readonly right: Syntax }
  | { readonly kind: 'in'; readonly item: Syntax; readonly list: readonly Syntax[] }
  | {
      readonly kind: 'contains'
      readonly input: Syntax
      readonly part: Syntax
      readonly ignoreCase: boolean
      /** Matches whole tokens instead of any substring. */
      readonly wholeToken: boolean
    }
)
