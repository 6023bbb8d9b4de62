import type { Store } from '../../engine/store.ts'
import { rulesPartition, rulesTable } from '../../engine/tables/rules-tables.ts'
import { DomainError } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { ruleLimits } from '../../lib/limits/rules.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { ProjectReader } from '../access/index.ts'
import { partitionReader, partitionRows } from './rule-progress.ts'
import { ruleCells, ruleOf, ruleRow, type StoredRule } from './stored-rule.ts'

/** The rules of all projects. They are few, so they are kept in memory beside the table. */
export class RuleRecords {
  private readonly store: Store
  private readonly clock: Clock
  private readonly rules = new Map<string, StoredRule>()

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.store = store
    this.clock = clock
  }

  /** Reads the table. Call once, at startup. */
  async load(): Promise<void> {
    if (this.store.isEmpty(rulesTable.name)) return
    const rows = await partitionRows(this.store, rulesTable, 'created_at').select(partitionReader, ruleCells, {})
    for (const cells of rows) this.rules.set(cells.id, ruleOf(cells))
  }

  /** All rules, the oldest first. */
  all(): StoredRule[] {
    return [...this.rules.values()]
  }

  /** The rules of a project, the oldest first. */
  list({ projectId }: ProjectReader): StoredRule[] {
    return this.all().filter((rule) => rule.projectId === projectId)
  }

  /** @throws DomainError NotFound */
  get({ projectId }: ProjectReader, id: string): StoredRule {
    const rule = this.rules.get(id)
    if (rule?.projectId === projectId) return rule
    throw new DomainError('NotFound', `Rule ${id.slice(0, operationLimits.idCharsMax)} not found`)
  }

  /** @throws DomainError InvalidRequest if there are too many */
  checkRoom(reader: ProjectReader): void {
    const refuse = (max: number, where: string) => {
      throw new DomainError('InvalidRequest', `There are already ${max} rules${where}, the maximum`)
    }
    if (this.list(reader).length >= ruleLimits.rulesPerProjectMax)
      refuse(ruleLimits.rulesPerProjectMax, ' in the project')
    if (this.rules.size >= ruleLimits.rulesMax) refuse(ruleLimits.rulesMax, '')
  }

  /** Stores a rule: durable when this returns. */
  async put(rule: StoredRule): Promise<void> {
    await this.store.write(rulesTable.name, [ruleRow(rule)])
    this.rules.set(rule.id, rule)
  }

  async remove(id: string): Promise<void> {
    const row = rulesTable.tombstone(rulesPartition, id, this.clock.nowMs() * 1000)
    await this.store.write(rulesTable.name, [row])
    this.rules.delete(id)
  }
}
