import { Verdict, type VerdictWord } from '../comparison/verdict.tsx'
import { promptText } from '../text/prompt.ts'
import css from './version-verdict.module.css'
import type { VersionVerdict as Found } from './version-verdicts.ts'

/** The look of several words: what a reader must not overlook. */
const order = ['worse', 'better', 'cannot tell', 'same'] as const

/** The line of a comparison that is being read. */
export const VerdictPlace = () => (
  <span class={css.link} aria-hidden>
    <span class={css.bar} />
    {'\u00a0'}
  </span>
)

/** What a comparison says of a version: `better than v2`, with the scores as a tip. */
export function VersionVerdict({ found: { words, against, href } }: { found: Found }) {
  const shown: VerdictWord | undefined = order.find((word) => words.some(({ verdict }) => verdict === word))
  if (shown === undefined) return null
  const counts = order.flatMap((word) => {
    const count = words.filter(({ verdict }) => verdict === word).length
    return count === 0 ? [] : [[word, count] as const]
  })
  return (
    <a class={css.link} href={href} data-tip={words.map(({ score, verdict }) => `${score}: ${verdict}`).join('\n')}>
      <Verdict verdict={shown} words={promptText.verdict(counts, against)} />
    </a>
  )
}
