import type { Dialect } from '../../../formats/dialect/dialect.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import type { Calls } from '../../calls/calls.ts'
import type { RefResolver } from '../../calls/expand-refs.ts'
import type { Completions } from '../../completions/completions.ts'
import { liveObjects } from '../../completions/provider-objects.ts'
import type { Feedback } from '../../feedback/feedback.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Objects } from '../../objects/objects.ts'
import type { RowTables } from '../../tables/row-tables.ts'
import { EvaluationEngine } from './engine.ts'
import { ProviderModels } from './provider-models.ts'
import { ScoreFeedback } from './score-feedback.ts'
import { StoredDatasets } from './stored-datasets.ts'
import { StoredObjects } from './stored-objects.ts'

/** Creates the engine with its dependencies. Its jobs start with `jobs.resume`. */
export function openEngine(options: {
  jobs: Jobs
  clock: Clock
  dialect: Dialect
  calls: Calls
  feedback: Feedback
  objects: Objects
  tables: RowTables
  completions: Completions
  refs: RefResolver
}): EvaluationEngine {
  const { calls, clock, dialect, refs } = options
  const objects = new StoredObjects(options.objects)
  return new EvaluationEngine(options.jobs, {
    calls,
    clock,
    refs,
    objects,
    feedback: new ScoreFeedback(options.feedback, dialect.refs),
    datasets: new StoredDatasets(objects, options.tables),
    models: new ProviderModels(options.completions, liveObjects(options.objects)),
    namespace: dialect.namespace,
  })
}
