import type { CallKind } from '../parts/kinds.ts'

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

/** The kind that an op's name tells, for rows that carry no kind. */
export function opKind(name: string): CallKind {
  const lower = name.toLowerCase()
  return words.find(([pattern]) => pattern.test(lower))?.[1] ?? 'function'
}
