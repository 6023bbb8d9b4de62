import { scopeReaches } from '../../kernel/scope.ts'
import type { Log } from '../../log.ts'
import type { ProjectReader } from '../access/caller.ts'
import type { SecretRecord } from './secret-file.ts'
import type { SecretStore } from './secret-store.ts'

/** A secret in the clear. It goes into the header of one request, and into no answer, log or call. */
export interface Secret {
  readonly value: string
  /** Hosts of custom providers that it may be sent to. */
  readonly hosts: readonly string[]
}

/** What the calls of a project may use to identify themselves to providers. Changes are followed without a restart. */
export class Secrets {
  private readonly store: SecretStore
  private readonly variable: (name: string) => string | undefined
  private readonly log: Log
  private seenVersion: string | undefined
  private records: readonly SecretRecord[] = []

  /** @param variable environment variable of a name, asked only for the names of built-in providers */
  constructor(options: { store: SecretStore; variable: (name: string) => string | undefined; log: Log }) {
    this.store = options.store
    this.variable = options.variable
    this.log = options.log
  }

  /** The project's own secret of this name, else its entity's, else everybody's; undefined where there is none. */
  async find({ projectId }: ProjectReader, name: string): Promise<Secret | undefined> {
    await this.refresh()
    const [record] = this.records
      .filter((secret) => secret.name === name && scopeReaches(secret.scope, projectId))
      .sort((a, b) => b.scope.length - a.scope.length)
    if (record === undefined) return undefined
    try {
      return { value: await this.store.open(record), hosts: record.hosts }
    } catch (err) {
      this.log.error({ err, secret: name }, 'could not decrypt a secret')
      return undefined
    }
  }

  /**
   * The same for a name that belongs to a built-in provider; without such a secret, the environment variable of the name. Only for names
   * out of our own table: a project could else read any variable by asking for it.
   */
  async findForProvider(reader: ProjectReader, name: string): Promise<string | undefined> {
    return (await this.find(reader, name))?.value ?? this.variable(name)
  }

  private async refresh(): Promise<void> {
    const version = await this.store.version()
    if (version === this.seenVersion) return
    this.records = await this.store.list()
    this.seenVersion = version
  }
}
