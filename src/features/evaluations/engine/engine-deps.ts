import { DomainError } from '../../../errors.ts'
import { Caller, type ProjectWriter } from '../../../foundation/access/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Calls } from '../../../records/calls/calls.ts'
import type { RefResolver } from '../../../records/calls/expand-refs.ts'
import type { Job } from '../../../records/jobs/job.ts'
import type { DatasetSource } from './dataset-source.ts'
import type { LanguageModels } from './language-model.ts'
import type { ObjectSource } from './object-source.ts'
import { prepareScorer } from './prepare-scorer.ts'
import type { RunnableScorer } from './runnable.ts'
import type { ScoreFeedback } from './score-feedback.ts'

/** Everything that running evaluations works with. */
export interface EngineDeps {
  readonly calls: Calls
  readonly feedback: ScoreFeedback
  readonly objects: ObjectSource
  readonly datasets: DatasetSource
  readonly refs: RefResolver
  readonly models: LanguageModels
  readonly clock: Clock
  /** Member of attributes that is the server's own. */
  readonly namespace: string
}

/** The one who asked for the job, with what that needs and no more: to write to its project. */
export const writerOf = ({ userId, userName, projectId }: Job): ProjectWriter =>
  new Caller({ userId, userName, role: 'write', scope: projectId }).write(projectId)

/** Each scorer once, however often it is named. @throws DomainError InvalidRequest, NotFound */
export async function loadScorers(
  { objects, models }: EngineDeps,
  writer: ProjectWriter,
  refs: readonly string[],
): Promise<RunnableScorer[]> {
  const scorers: RunnableScorer[] = []
  for (const ref of refs) {
    const scorer = await prepareScorer(await objects.read(writer, ref), { objects, models, writer })
    if (scorers.some((known) => known.ref === scorer.ref)) continue
    if (scorers.some(({ name }) => name === scorer.name)) {
      throw new DomainError('InvalidRequest', `Duplicate scorer "${scorer.name}"`)
    }
    scorers.push(scorer)
  }
  return scorers
}
