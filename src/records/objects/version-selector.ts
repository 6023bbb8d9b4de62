import { looksLikeDigest } from '../../kernel/digest.ts'
import type { VersionSelector } from '../../query/versions-plan.ts'

/**
 * How a request names one version: `latest`, `v<number>`, a digest (43 letters and digits, or 64 hexadecimal digits: never an alias), or
 * else an alias.
 */
export function parseVersionSelector(text: string): VersionSelector {
  if (text === 'latest') return { by: 'latest' }
  if (looksLikeDigest(text)) return { by: 'digest', text }
  const index = versionIndexOf(text)
  return index === undefined ? { by: 'named', text } : { by: 'index', index }
}

/** As `parseVersionSelector`, but without aliases. */
export function parseExactSelector(text: string): VersionSelector {
  const selector = parseVersionSelector(text)
  return selector.by === 'named' ? { by: 'digest', text } : selector
}

/** The number in `v<number>`, however many zeros it begins with; undefined where the text is none. */
function versionIndexOf(text: string): number | undefined {
  if (!/^v[+-]?\d+$/.test(text)) return undefined
  // Beyond that there is no version.
  return Math.max(-1, Math.min(Number(text.slice(1)), Number.MAX_SAFE_INTEGER))
}
