import type { Store } from '../../engine/store.ts'
import { retentionId, retentionTable } from '../../engine/tables/retention-table.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { ProjectReader, ProjectWriter } from '../access/index.ts'
import { compileEveryProject } from './sql/retention.ts'

/** For how long a project keeps its calls, log records and metrics. */
export interface RetentionPolicy {
  readonly projectId: string
  readonly days: number
  readonly changedBy: string
  readonly changedByName: string
  /** Microseconds since 1970. */
  readonly changedAt: number
}

const cells = retentionTable.select('project_id', 'days', 'changed_by', 'changed_by_name', 'changed_at')

/**
 * The retention of all projects. There are few, so they are kept in memory beside the table. See
 * docs/decisions/166-what-expires.md.
 */
export class Retention {
  private readonly store: Store
  private readonly clock: Clock
  private readonly policies = new Map<string, RetentionPolicy>()

  private constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.store = store
    this.clock = clock
  }

  static async open(options: { store: Store; clock: Clock }): Promise<Retention> {
    const retention = new Retention(options)
    if (!options.store.isEmpty(retentionTable.name)) await retention.load()
    return retention
  }

  private async load(): Promise<void> {
    const { name } = retentionTable
    const rows = await this.store.readProjects([name], new AbortController().signal, (snapshot) =>
      snapshot.rows(compileEveryProject(snapshot.relationOfProjects(name), cells.columns)),
    )
    for (const row of rows) {
      const { project_id, days, changed_by, changed_by_name, changed_at } = cells.read(row)
      const changed = { changedBy: changed_by, changedByName: changed_by_name, changedAt: changed_at }
      this.policies.set(project_id, { projectId: project_id, days, ...changed })
    }
  }

  all(): RetentionPolicy[] {
    return [...this.policies.values()]
  }

  find({ projectId }: ProjectReader): RetentionPolicy | undefined {
    return this.policies.get(projectId)
  }

  /** Undefined if the project keeps its calls for ever. */
  daysOf(projectId: string): number | undefined {
    return this.policies.get(projectId)?.days
  }

  /** Durable when this returns. @param days undefined: for ever */
  async set(writer: ProjectWriter, days: number | undefined, userName: string): Promise<void> {
    const { projectId, userId } = writer
    const changedAt = this.clock.nowMs() * 1000
    const changed = { changed_by: userId, changed_by_name: userName, changed_at: changedAt }
    const row =
      days === undefined
        ? retentionTable.tombstone(projectId, retentionId, changedAt)
        : retentionTable.row({ project_id: projectId, id: retentionId, days, ...changed })
    await this.store.write(retentionTable.name, [row])
    if (days === undefined) this.forget(projectId)
    else this.policies.set(projectId, { projectId, days, changedBy: userId, changedByName: userName, changedAt })
  }

  /** The rows of the project have been erased. */
  forget(projectId: string): void {
    this.policies.delete(projectId)
  }
}
