import { DomainError } from '../../errors.ts'
import { scopeReaches } from '../../kernel/project-id.ts'

export type Role = 'read' | 'write' | 'admin'

const rank: Record<Role, number> = { read: 0, write: 1, admin: 2 }

declare const granted: unique symbol
declare const grantedForWriting: unique symbol
declare const grantedForProjects: unique symbol

/**
 * Proof that the caller may read this project. Only `Caller.read` and `Caller.write` create one.
 */
export interface ProjectReader {
  readonly [granted]: true
  /** `entity/project`, as the caller spelled it. */
  readonly projectId: string
  /** Id of the API key, by which per-key limits are counted. */
  readonly userId: string
  /** Whether another project is also in the caller's scope. */
  readonly reaches: (projectId: string) => boolean
}

/**
 * Proof that the caller may read every project in `scope`. Only `Caller.readProjects` creates one.
 */
export interface ProjectsReader {
  readonly [grantedForProjects]: true
  /** `*`, `entity` or `entity/project`. */
  readonly scope: string
  /** @throws DomainError Forbidden if `projectId` is out of scope */
  readonly read: (projectId: string) => ProjectReader
}

/** Proof that the caller may change this project. */
export interface ProjectWriter extends ProjectReader {
  readonly [grantedForWriting]: true
}

/**
 * The sender of a request: the owner of an API key. Services require the handles it issues, so an
 * unchecked access does not compile.
 */
export class Caller {
  /** Id of the key; stored as `ext_user_id`. */
  readonly userId: string
  /** Name of the key; shown as `ext_username`. */
  readonly userName: string
  readonly role: Role
  /** `*`, `entity` or `entity/project`. */
  readonly scope: string
  /** Entity of the projects of telemetry that names none; undefined if it has to name one. */
  readonly defaultEntity: string | undefined

  constructor(identity: { userId: string; userName: string; role: Role; scope: string; defaultEntity?: string }) {
    this.userId = identity.userId
    this.userName = identity.userName
    this.role = identity.role
    this.scope = identity.scope
    this.defaultEntity = identity.defaultEntity
  }

  /**
   * @throws DomainError Forbidden if `projectId` is out of scope, whether or not the project exists
   */
  read(projectId: string): ProjectReader {
    this.requireScope(projectId)
    return { projectId, userId: this.userId, reaches: (other) => this.reaches(other) } as ProjectReader
  }

  /** @throws DomainError Forbidden if scope or role do not allow writing to `projectId` */
  write(projectId: string): ProjectWriter {
    this.requireScope(projectId)
    this.requireRole('write')
    return this.read(projectId) as ProjectWriter
  }

  /** Proof of what the caller may read, for operations across projects. */
  readProjects(): ProjectsReader {
    return { scope: this.scope, read: (projectId) => this.read(projectId) } as ProjectsReader
  }

  /** Whether `projectId` is in the scope of the key. */
  reaches(projectId: string): boolean {
    return scopeReaches(this.scope, projectId)
  }

  /** @throws DomainError Forbidden if the key is restricted to some projects */
  requireEveryProject(): void {
    if (this.scope !== '*') throw new DomainError('Forbidden', 'This operation requires an API key with scope "*"')
  }

  requireRole(role: Role): void {
    if (rank[this.role] < rank[role]) {
      throw new DomainError('Forbidden', `This operation requires the role "${role}"; the API key has "${this.role}"`)
    }
  }

  private requireScope(projectId: string): void {
    if (!this.reaches(projectId)) throw new DomainError('Forbidden', 'This API key has no access to the project')
  }
}
