import { agentDashboard } from './agent-dashboard.ts'
import { alertSpec } from './alert-spec.ts'
import { annotationSpec } from './annotation-spec.ts'
import type { BuiltinClass } from './builtin-class.ts'
import { examples } from './examples.ts'
import { leaderboard } from './leaderboard.ts'
import { llmAsAJudgeScorer, llmStructuredCompletionModel } from './llm.ts'
import { provider, providerModel } from './provider.ts'
import { builtinScorers } from './scorers.ts'
import { comparisonView, savedView } from './views.ts'

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
