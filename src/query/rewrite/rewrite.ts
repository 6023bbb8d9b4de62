import type { Expression } from '../expression.ts'
import { flatten } from './flatten.ts'
import { mergeEqualities } from './merge-equalities.ts'
import { moveNegationInward } from './move-negation-inward.ts'
import { plainTexts } from './plain-texts.ts'
import { rawText } from './raw-text.ts'
import { searchFirst } from './search-first.ts'
import { settleConstants } from './settle-constants.ts'

/** Rewrites in the order in which they run. Each leaves the rows that a condition selects as they are. */
const rewrites = [
  ['move-negation-inward', moveNegationInward],
  ['settle-constants', settleConstants],
  ['flatten', flatten],
  ['plain-texts', plainTexts],
  ['merge-equalities', mergeEqualities],
  ['raw-text', rawText],
  ['search-first', searchFirst],
] as const satisfies readonly (readonly [string, (where: Expression) => Expression])[]

export type RewriteName = (typeof rewrites)[number][0]

export const rewriteNames: readonly RewriteName[] = rewrites.map(([name]) => name)

/** The condition after all rewrites, or all but some. */
export function rewrite(where: Expression, without: readonly RewriteName[] = []): Expression {
  return rewrites.reduce((changed, [name, apply]) => (without.includes(name) ? changed : apply(changed)), where)
}
