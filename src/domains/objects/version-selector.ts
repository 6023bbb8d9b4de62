import { looksLikeDigest } from '../../runtime/digest.ts'
import type { VersionSelector } from './plan/versions-plan.ts'

/**
 * Parses how a request names a version: `latest`, `v<number>`, a digest (43 letters and digits, or
 * 64 hexadecimal digits: never an alias), or else an alias.
 */
export function parseVersionSelector(text: string): VersionSelector {
  if (text === 'latest') return { by: 'latest' }
  if (looksLikeDigest(text)) return { by: 'digest', text }
  const index = versionIndexOf(text)
  return index === undefined ? { by: 'named', text } : { by: 'index', index }
}

/** Like `parseVersionSelector`, without aliases. */
export function parseExactSelector(text: string): VersionSelector {
  const selector = parseVersionSelector(text)
  return selector.by === 'named' ? { by: 'digest', text } : selector
}

/** The number in `v<number>`, with any leading zeros; undefined for other text. */
function versionIndexOf(text: string): number | undefined {
  if (!/^v[+-]?\d+$/.test(text)) return undefined
  // No version has a larger number.
  return Math.max(-1, Math.min(Number(text.slice(1)), Number.MAX_SAFE_INTEGER))
}
