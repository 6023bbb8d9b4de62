import { DomainError } from '../../../lib/errors.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import { Caller, type ProjectWriter } from '../../access/caller.ts'
import type { Calls } from '../../calls/calls.ts'
import type { RefResolver } from '../../calls/expand-refs.ts'
import type { Job } from '../../jobs/job.ts'
import type { DatasetSource } from './dataset-source.ts'
import type { LanguageModels } from './language-model.ts'
import type { ObjectSource } from './object-source.ts'
import { prepareScorer } from './prepare-scorer.ts'
import type { RunnableScorer } from './runnable.ts'
import type { ScoreFeedback } from './score-feedback.ts'

/** Dependencies of the evaluation engine. */
export interface EngineDeps {
  readonly calls: Calls
  readonly feedback: ScoreFeedback
  readonly objects: ObjectSource
  readonly datasets: DatasetSource
  readonly refs: RefResolver
  readonly models: LanguageModels
  readonly clock: Clock
  /** The server's own member of attributes. */
  readonly namespace: string
}

/** Write access to the project of a job for the user who requested it, and nothing more. */
export const writerOf = ({
  userId,
  userName,
  projectId,
}: Pick<Job, 'userId' | 'userName' | 'projectId'>): ProjectWriter =>
  new Caller({ userId, userName, role: 'write', scope: projectId }).write(projectId)

/** Loads each distinct scorer once. @throws DomainError InvalidRequest, NotFound */
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
