import type { CallKind } from '../../components/display/kinds.ts'

const words: readonly (readonly [RegExp, CallKind])[] = [
  [/(^|[._/ ])(chat|completions?|llm|generate|messages|responses|openai|anthropic|gemini|gpt)([._/ :-]|$)/, 'llm'],
  [/(^|[._/ ])(embed|embeddings?)([._/ ]|$)/, 'embedding'],
  [/(^|[._/ ])(rerank)/, 'rerank'],
  [/(^|[._/ ])(retriev|search|vector|query_index)/, 'retrieval'],
  [/(^|[._/ ])(guard|moderat|policy_check)/, 'guardrail'],
  [/(^|[._/ ])(evaluation|evaluate)/, 'evaluation'],
  [/(^|[._/ ])(scor|judge|grade)/, 'scorer'],
  [/(^|[._/ ])(tools?|mcp)([._/ ]|$)/, 'tool'],
  [/(^|[._/ -])(https?|request|fetch|get|post)([._/ ]|$)/, 'request'],
  [/agent|(^|[._/ ])(assistant|bot|crew|swarm)([._/ ]|$)/, 'agent'],
  [/(^|[._/ ])(chain|pipeline|workflow|graph)([._/ ]|$)/, 'chain'],
]

/** Traces of many calls have few names. */
const known = new Map<string, CallKind>()
const knownMax = 1_000

/** The kind derived from an op's name, for calls that state none. */
export function opKind(name: string): CallKind {
  const earlier = known.get(name)
  if (earlier) return earlier
  const lower = name.toLowerCase()
  const kind = words.find(([pattern]) => pattern.test(lower))?.[1] ?? 'function'
  if (known.size < knownMax) known.set(name, kind)
  return kind
}
