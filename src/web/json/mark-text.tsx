import type { ComponentChildren } from 'preact'

/** A text with what was searched for marked. */
export function markText(text: string, needle: string): ComponentChildren {
  if (needle === '') return text
  const lower = text.toLowerCase()
  const wanted = needle.toLowerCase()
  const parts: ComponentChildren[] = []
  let from = 0
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + wanted.length)}</mark>)
    from = at + wanted.length
  }
  return parts.length === 0 ? text : [...parts, text.slice(from)]
}
