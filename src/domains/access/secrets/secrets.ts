import { scopeReaches } from '../../../lib/project-id.ts'
import type { Log } from '../../../runtime/log.ts'
import type { ProjectReader } from '../caller.ts'
import type { SecretRecord, SecretStore } from './secret-store.ts'

/**
 * A decrypted secret. It is sent in the header of one request and appears in no response, log or
 * call.
 */
export interface Secret {
  readonly value: string
  /** Hosts of custom providers that it may be sent to. */
  readonly hosts: readonly string[]
}

/**
 * Provider credentials available to the calls of a project. Changes take effect without a restart.
 */
export class Secrets {
  private readonly store: SecretStore
  private readonly variable: (name: string) => string | undefined
  private readonly log: Log
  private seenVersion: string | undefined
  private records: readonly SecretRecord[] = []

  /**
   * @param variable looks up an environment variable; called only for names of built-in providers
   */
  constructor(options: { store: SecretStore; variable: (name: string) => string | undefined; log: Log }) {
    this.store = options.store
    this.variable = options.variable
    this.log = options.log
  }

  /**
   * The secret of this name in the narrowest scope: project, then entity, then global; undefined if
   * there is none.
   */
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
   * The same for a built-in provider, falling back to the environment variable of that name. Only
   * for names in our own table: otherwise a project could read any environment variable.
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
