/**
 * Texts that a row must contain to match a condition: every matching row meets it, and others may.
 * `text` is verbatim part of a stored text, apart from the case of its letters if `ignoreCase`.
 */
export type TextCondition =
  | { readonly kind: 'all'; readonly items: readonly TextCondition[] }
  | { readonly kind: 'any'; readonly items: readonly TextCondition[] }
  | { readonly kind: 'contains'; readonly text: string; readonly ignoreCase: boolean }
