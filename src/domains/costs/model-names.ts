/**
 * How a model name in usage was matched to a price. `catalog`: by a rule of the shipped price list
 * for this exact name.
 */
export type MatchedBy = 'exact' | 'case' | 'catalog' | 'provider prefix' | 'undated'

/** `openai/gpt-4o` → `openai` and `gpt-4o`; undefined for a name without a prefix. */
export function splitProvider(name: string): { provider: string; model: string } | undefined {
  const at = name.search(/[/:]/)
  return at <= 0 || at === name.length - 1
    ? undefined
    : { provider: name.slice(0, at).toLowerCase(), model: name.slice(at + 1) }
}

/**
 * The name without its version date and without the size of its context: `gpt-4o-2024-08-06`,
 * `claude-sonnet-4-20250514`, `claude-sonnet-4@20250514`, `claude-sonnet-4-5[1m]`.
 */
export function withoutDate(name: string): string {
  return name.replace(/\[\d+[km]\]$/, '').replace(/(?:[-@:]20\d{2}-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01]))$/, '')
}

/** A spelling of a model name; all but the exact one are lower case. */
export interface Spelling {
  readonly key: string
  readonly by: MatchedBy
}

/**
 * Keys under which to look up a project's price for a model, closest first. A price for `gpt-4o`
 * also applies to `openai/gpt-4o` and `gpt-4o-2024-08-06`, unless there is one for that exact name.
 */
export function* spellingsOf(name: string): Generator<Spelling> {
  yield { key: name, by: 'exact' }
  const lower = name.toLowerCase()
  yield { key: lower, by: 'case' }
  const bare = lower.slice(lower.lastIndexOf('/') + 1)
  yield { key: bare, by: 'provider prefix' }
  yield { key: withoutDate(lower), by: 'undated' }
  yield { key: withoutDate(bare), by: 'undated' }
}
