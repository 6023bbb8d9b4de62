import type { TableField } from '../table-fields.ts'

/** A `bigint` is an integer that a double does not hold. */
export type LiteralValue = string | number | bigint | boolean | null
export type Comparison = '$eq' | '$gt' | '$gte' | '$lt' | '$lte'
export type ConvertTo = 'double' | 'string' | 'int' | 'bool' | 'exists'

/** A parsed expression of the query language over one table; its fields are resolved. */
export type QueryNode =
  | { readonly kind: 'literal'; readonly value: LiteralValue }
  | { readonly kind: 'field'; readonly field: TableField }
  | { readonly kind: 'convert'; readonly input: QueryNode; readonly to: ConvertTo }
  | { readonly kind: 'size'; readonly input: QueryNode }
  | { readonly kind: 'and' | 'or'; readonly items: readonly QueryNode[] }
  | { readonly kind: 'not'; readonly item: QueryNode }
  | { readonly kind: 'compare'; readonly operator: Comparison; readonly left: QueryNode; readonly right: QueryNode }
  | { readonly kind: 'in'; readonly item: QueryNode; readonly list: readonly QueryNode[] }
  | {
      readonly kind: 'contains'
      readonly input: QueryNode
      readonly substring: QueryNode
      readonly ignoresCase: boolean
      /** Whether the substring has to be one of the words of the input, or an element of it. */
      readonly isWholeToken: boolean
    }
