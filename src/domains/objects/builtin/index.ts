import type { BuiltinClass } from './builtin-class.ts'
import { examples } from './examples.ts'
import { llmAsAJudgeScorer, llmStructuredCompletionModel, provider, providerModel } from './llm.ts'
import { builtinScorers } from './scorers.ts'
import { alertSpec, annotationSpec } from './specs.ts'
import { agentDashboard, comparisonView, leaderboard, savedView } from './views.ts'

/** All classes that `builtin_object_class` may name. */
export const builtinClasses: ReadonlyMap<string, BuiltinClass> = new Map(
  [
    leaderboard,
    annotationSpec,
    alertSpec,
    provider,
    providerModel,
    savedView,
    comparisonView,
    llmStructuredCompletionModel,
    llmAsAJudgeScorer,
    ...builtinScorers,
    agentDashboard,
    ...examples,
  ].map((builtin) => [builtin.name, builtin]),
)
