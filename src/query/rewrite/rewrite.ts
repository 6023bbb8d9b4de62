import type { Expression } from '../expression.ts'
import { addTextPrefilter } from './add-text-prefilter.ts'
import { dropEmptyDefault } from './drop-empty-default.ts'
import { mergeEqualities } from './merge-equalities.ts'
import { rawText } from './raw-text.ts'
import { flatten, foldConstants, pushDownNot } from './simplify-conditions.ts'

/** The rewrites in the order in which they run. None of them changes which rows match. */
const rewrites = [
  ['push-down-not', pushDownNot],
  ['fold-constants', foldConstants],
  ['flatten', flatten],
  ['drop-empty-default', dropEmptyDefault],
  ['merge-equalities', mergeEqualities],
  ['raw-text', rawText],
  ['add-text-prefilter', addTextPrefilter],
] as const satisfies readonly (readonly [string, (where: Expression) => Expression])[]

export type RewriteName = (typeof rewrites)[number][0]

export const rewriteNames: readonly RewriteName[] = rewrites.map(([name]) => name)

/** The condition after all rewrites except `without`. */
export function rewrite(where: Expression, without: readonly RewriteName[] = []): Expression {
  return rewrites.reduce((changed, [name, apply]) => (without.includes(name) ? changed : apply(changed)), where)
}
