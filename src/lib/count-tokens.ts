import { isJsonObject } from './json-value.ts'

/** The tokens of one model in one call, by price category. Never negative. */
export interface TokenCounts {
  /** Input tokens as reported, including or excluding cached ones, depending on the provider. */
  readonly prompt: number
  /** Input tokens that bypassed caches. */
  readonly uncached: number
  readonly cacheRead: number
  readonly cacheCreation: number
  /** The part of `cacheCreation` with a lifetime of one hour. */
  readonly cacheCreationLong: number
  readonly completion: number
  readonly requests: number
  readonly total: number
}

/** Stands in `summary.usage` for a model whose name is unknown. */
export const unnamedModel = 'usage'

type Usage = Readonly<Record<string, unknown>>

/**
 * Normalizes the usage that a client reported. Providers count differently: OpenAI's
 * `prompt_tokens` include cached tokens (https://platform.openai.com/docs/guides/prompt-caching),
 * Anthropic's `input_tokens` do not
 * (https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching). `gross_input_tokens`, if
 * present, is the total. See docs/decisions/021-cached-tokens.md.
 */
export function countTokens(usage: Usage): TokenCounts {
  const isTwice = reportsBothNames(usage)
  const stated = isTwice ? count(usage, 'prompt_tokens') : count(usage, 'prompt_tokens') + count(usage, 'input_tokens')
  const completion = isTwice
    ? count(usage, 'completion_tokens')
    : count(usage, 'completion_tokens') + count(usage, 'output_tokens')
  const gross = usage['gross_input_tokens'] == null ? undefined : count(usage, 'gross_input_tokens')
  const { cacheRead, cacheCreation, isPartOfInput } = countCached(usage)
  const cached = cacheRead + cacheCreation
  const total = count(usage, 'total_tokens')
  const contains = gross !== undefined || containsCached({ usage, stated, completion, cached, total, isPartOfInput })
  const prompt = gross ?? stated
  return {
    prompt,
    uncached: contains ? Math.max(0, prompt - cached) : prompt,
    cacheRead,
    cacheCreation,
    cacheCreationLong: Math.min(cacheCreation, count(objectIn(usage, 'cache_creation'), 'ephemeral_1h_input_tokens')),
    completion,
    requests: count(usage, 'requests'),
    total,
  }
}

/**
 * Cost of the usage as stated by the client, in US dollars; undefined if it states none. Takes
 * precedence over prices.
 */
export function statedCost(usage: Usage): number | undefined {
  const cost = usage['stated_cost']
  return typeof cost === 'number' && cost >= 0 && cost <= Number.MAX_SAFE_INTEGER ? cost : undefined
}

/** Which counts a usage reports, including zeros. */
export interface StatedTokens {
  readonly prompt: boolean
  readonly completion: boolean
  readonly total: boolean
  readonly cacheRead: boolean
  readonly cacheCreation: boolean
}

/** A usage without a count is not an observation of it. */
export function statedTokens(usage: Usage): StatedTokens {
  return {
    prompt: states(usage, promptMembers),
    completion: states(usage, completionMembers),
    total: states(usage, totalMembers),
    cacheRead: states(usage, cacheReadMembers) || detailsState(usage, cacheReadDetails),
    cacheCreation: states(usage, cacheCreationMembers) || detailsState(usage, cacheCreationDetails),
  }
}

const promptMembers = ['prompt_tokens', 'input_tokens', 'gross_input_tokens']
const completionMembers = ['completion_tokens', 'output_tokens']
const totalMembers = ['total_tokens']
const cacheReadMembers = ['cache_read_input_tokens', 'prompt_cache_hit_tokens', 'cached_content_token_count']
const cacheReadDetails = ['cached_tokens', 'cache_read']
const cacheCreationMembers = ['cache_creation_input_tokens']
const cacheCreationDetails = ['cache_creation_tokens', 'cache_creation']

/** Some clients report each count under both naming schemes, which the total reveals. */
function reportsBothNames(usage: Usage): boolean {
  const prompt = count(usage, 'prompt_tokens')
  const completion = count(usage, 'completion_tokens')
  return (
    prompt > 0 &&
    prompt === count(usage, 'input_tokens') &&
    completion === count(usage, 'output_tokens') &&
    count(usage, 'total_tokens') === prompt + completion
  )
}

const detailMembers = ['prompt_tokens_details', 'input_tokens_details', 'input_token_details'] as const

/**
 * Cached tokens by Anthropic's names, OpenAI's (as input details), and those derived from either.
 */
function countCached(usage: Usage): { cacheRead: number; cacheCreation: number; isPartOfInput: boolean } {
  let detailRead = Math.max(count(usage, 'prompt_cache_hit_tokens'), count(usage, 'cached_content_token_count'))
  let detailCreation = 0
  for (const member of detailMembers) {
    const details = objectIn(usage, member)
    if (details === undefined) continue
    detailRead = Math.max(detailRead, count(details, 'cached_tokens'), count(details, 'cache_read'))
    detailCreation = Math.max(detailCreation, count(details, 'cache_creation_tokens'), count(details, 'cache_creation'))
  }
  return {
    cacheRead: count(usage, 'cache_read_input_tokens') || detailRead,
    cacheCreation: count(usage, 'cache_creation_input_tokens') || detailCreation,
    isPartOfInput: detailRead > 0 || detailCreation > 0,
  }
}

/**
 * Whether the reported input tokens include the cached ones: by arithmetic if conclusive, otherwise
 * by the naming scheme.
 */
function containsCached(known: {
  usage: Usage
  stated: number
  completion: number
  cached: number
  total: number
  isPartOfInput: boolean
}): boolean {
  const { usage, stated, completion, cached, total, isPartOfInput } = known
  if (cached > stated) return false
  if (total > 0 && total === stated + completion + cached) return false
  return isPartOfInput || count(usage, 'prompt_tokens') > 0
}

/**
 * A token count. Numeric strings count; anything else, including negative and impossible numbers,
 * is 0.
 */
const count = (usage: Usage | undefined, member: string): number => statedCount(usage, member) ?? 0

// Plain loops: every stored call passes through here.
function states(usage: Usage | undefined, members: readonly string[]): boolean {
  if (usage === undefined) return false
  for (const member of members) if (statedCount(usage, member) !== undefined) return true
  return false
}

function detailsState(usage: Usage, members: readonly string[]): boolean {
  for (const detail of detailMembers) if (states(objectIn(usage, detail), members)) return true
  return false
}

function statedCount(usage: Usage | undefined, member: string): number | undefined {
  const value = usage?.[member]
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && number >= 0 && number <= Number.MAX_SAFE_INTEGER ? number : undefined
}

function objectIn(usage: Usage, member: string): Usage | undefined {
  const value = usage[member]
  return isJsonObject(value) ? value : undefined
}
