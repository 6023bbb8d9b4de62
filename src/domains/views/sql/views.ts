import type { View } from './view.ts'
import { evaluationRows } from './views/evaluation-rows.ts'
import { evaluations } from './views/evaluations.ts'
import { generations } from './views/generations.ts'
import { messages } from './views/messages.ts'
import { type ProjectRate, pricesView } from './views/prices.ts'
import { scores } from './views/scores.ts'
import { spans } from './views/spans.ts'
import { threads } from './views/threads.ts'
import { toolCalls } from './views/tool-calls.ts'
import { traces } from './views/traces.ts'

/** All views, each after those that it reads. */
export const viewsWith = (rates: readonly ProjectRate[]): readonly View[] => [
  pricesView(rates),
  spans,
  generations,
  toolCalls,
  messages,
  evaluationRows,
  evaluations,
  scores,
  traces,
  threads,
]
