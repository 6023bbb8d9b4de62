import { expect, test } from 'bun:test'
import type { CallKind } from '../../schemas/traces.ts'
import { callKind, type KindHints } from './call-kind.ts'

const kindOf = (hints: Partial<KindHints>) =>
  callKind({ stated: null, operation: null, op: 'answer', isModelCall: false, ...hints })

test('follows what the client states, in any case', () => {
  expect(kindOf({ stated: 'LLM' })).toBe('llm')
  expect(kindOf({ stated: 'RERANKER' })).toBe('rerank')
  expect(kindOf({ stated: 'retriever', op: 'openai.chat.completions.create' })).toBe('retrieval')
  expect(kindOf({ operation: 'execute_tool' })).toBe('tool')
  expect(kindOf({ operation: 'invoke_agent' })).toBe('agent')
  expect(kindOf({ stated: 'no such kind', operation: 'chat' })).toBe('llm')
})

test('tells the kind by the op', () => {
  const kinds: Record<string, CallKind> = {
    'openai.chat.completions.create': 'llm',
    'openai.responses.create': 'llm',
    'anthropic.Messages.create': 'llm',
    'litellm.completion': 'llm',
    'ext.completions_create': 'llm',
    'google.genai.models.Models.generate_content': 'llm',
    'langchain.Chat.ChatOpenAI': 'llm',
    'ai.generateText.doGenerate': 'llm',
    'ai.toolCall': 'tool',
    'ai.generateText': 'chain',
    'haystack.agent.run': 'agent',
    'haystack.agent.step.llm': 'llm',
    'haystack.agent.step.tool': 'tool',
    InMemoryBM25Retriever: 'retrieval',
    'agent run': 'agent',
    'running tool': 'tool',
    lookup_tool: 'tool',
    'openai.embeddings.create': 'embedding',
    'ai.embed': 'embedding',
    'openai.images.generate': 'media',
    'langchain.Retriever.VectorStoreRetriever': 'retrieval',
    'Evaluation.evaluate': 'evaluation',
    'Evaluation.predict_and_score': 'evaluation',
    'ExactMatch.score': 'scorer',
    'Runner.run': 'agent',
    'AirlineAgent.run': 'agent',
    'GET /users': 'request',
    answer: 'function',
    embedded_report: 'function',
    reagent_mix: 'function',
  }
  expect(Object.fromEntries(Object.keys(kinds).map((op) => [op, kindOf({ op })]))).toEqual(kinds)
})

test('a call with usage of its own is one of a model', () => {
  expect(kindOf({ isModelCall: true })).toBe('llm')
  expect(kindOf({ isModelCall: true, op: 'lookup_tool' })).toBe('tool')
})
