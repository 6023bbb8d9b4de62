import { keyHeaders } from '../../formats/dialect/spellings.ts'
import { DomainError } from '../../lib/errors.ts'
import { scopeReaches } from '../../lib/project-id.ts'

/**
 * The API key in a request, if any: the password of `Authorization: Basic` (RFC 7617; any user
 * name), the token of `Authorization: Bearer` (RFC 6750), else the header sent by OTLP exporters.
 * If `Authorization` is present, only it counts, so that a request never has two callers.
 */
export function keyTextOf(headers: Headers): string | undefined {
  const authorization = headers.get('authorization')
  if (authorization !== null) return fromAuthorization(authorization)
  for (const name of keyHeaders) {
    const value = headers.get(name)?.trim()
    if (value) return value
  }
  return undefined
}

function fromAuthorization(value: string): string | undefined {
  const [, scheme, credentials] = /^\s*(\S+)\s+(\S.*?)\s*$/.exec(value) ?? []
  if (scheme === undefined || credentials === undefined) return undefined
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return credentials
    case 'basic':
      return passwordOf(credentials)
    default:
      return undefined
  }
}

function passwordOf(credentials: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(credentials), (char) => char.charCodeAt(0))
    const text = new TextDecoder().decode(bytes)
    const colon = text.indexOf(':')
    return colon === -1 || colon === text.length - 1 ? undefined : text.slice(colon + 1)
  } catch {
    // Not base64: treated as missing credentials.
    return undefined
  }
}

export type Role = 'read' | 'write' | 'admin'

const rank: Record<Role, number> = { read: 0, write: 1, admin: 2 }

/** Role of a caller in some projects. */
export interface Grant {
  readonly role: Role
  /** `*`, `entity` or `entity/project`. */
  readonly scope: string
}

const granted: unique symbol = Symbol('granted')
const grantedForWriting: unique symbol = Symbol('granted for writing')
const grantedForProjects: unique symbol = Symbol('granted for projects')

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
 * Proof that the caller may read every project in `scopes`. Only `Caller.readProjects` creates one.
 */
export interface ProjectsReader {
  readonly [grantedForProjects]: true
  /** Each `*`, `entity` or `entity/project`. */
  readonly scopes: readonly string[]
  /** @throws DomainError Forbidden if `projectId` is out of scope */
  readonly read: (projectId: string) => ProjectReader
}

/** Proof that the caller may change this project. */
export interface ProjectWriter extends ProjectReader {
  readonly [grantedForWriting]: true
}

/** Identity of a caller. */
export interface Identity {
  readonly userId: string
  readonly userName: string
  readonly defaultEntity?: string
  /**
   * The kind of credential that identified the caller, as named in messages; `API key` unless
   * stated.
   */
  readonly credential?: 'API key' | 'account'
  /** Told of every project that the caller asks for, allowed or not. */
  readonly onReach?: (projectId: string) => void
}

/**
 * The sender of a request: the owner of an API key, or a person who signed in. Services require the
 * handles it issues, so an unchecked access does not compile. See
 * docs/decisions/176-several-grants.md.
 */
export class Caller {
  /** Id of the key or the person; stored as `ext_user_id`. */
  readonly userId: string
  /** Name of the key or the person; shown as `ext_username`. */
  readonly userName: string
  /** A key has one, a person one for each group that gives access. */
  readonly grants: readonly Grant[]
  /** The highest role of all grants. */
  readonly role: Role
  /** Entity of the projects of telemetry that names none; undefined if it has to name one. */
  readonly defaultEntity: string | undefined

  readonly credential: 'API key' | 'account'
  private readonly onReach: ((projectId: string) => void) | undefined

  constructor(identity: Identity & (Grant | { readonly grants: readonly Grant[] })) {
    this.userId = identity.userId
    this.userName = identity.userName
    this.grants = 'grants' in identity ? identity.grants : [{ role: identity.role, scope: identity.scope }]
    this.role = highestRole(this.grants)
    this.defaultEntity = identity.defaultEntity
    this.credential = identity.credential ?? 'API key'
    this.onReach = identity.onReach
  }

  /**
   * The same caller; `onReach` is called with every project that it tries to access, allowed or
   * not.
   */
  watched(onReach: (projectId: string) => void): Caller {
    const { userId, userName, grants, credential, defaultEntity } = this
    return new Caller({
      userId,
      userName,
      grants,
      credential,
      onReach,
      ...(defaultEntity !== undefined && { defaultEntity }),
    })
  }

  /** Every scope once; `*` alone if it is one of them. */
  get scopes(): readonly string[] {
    const scopes = [...new Set(this.grants.map(({ scope }) => scope))]
    return scopes.includes('*') ? ['*'] : scopes
  }

  /**
   * @throws DomainError Forbidden if `projectId` is out of scope, whether or not the project exists
   */
  read(projectId: string): ProjectReader {
    this.requireReach(projectId)
    return { [granted]: true, projectId, userId: this.userId, reaches: (other) => this.reaches(other) }
  }

  /** @throws DomainError Forbidden if scope or role do not allow writing to `projectId` */
  write(projectId: string): ProjectWriter {
    this.requireReach(projectId)
    const role = highestRole(this.grants.filter(({ scope }) => scopeReaches(scope, projectId)))
    if (rank[role] < rank.write) throw this.lacking('write', role)
    return { ...this.read(projectId), [grantedForWriting]: true }
  }

  /**
   * The same with the role `admin`.
   * @throws DomainError Forbidden
   */
  administer(projectId: string): ProjectWriter {
    this.requireReach(projectId)
    const role = highestRole(this.grants.filter(({ scope }) => scopeReaches(scope, projectId)))
    if (role !== 'admin') throw this.lacking('admin', role)
    return { ...this.read(projectId), [grantedForWriting]: true }
  }

  /** Proof of what the caller may read, for operations across projects. */
  readProjects(): ProjectsReader {
    return { [grantedForProjects]: true, scopes: this.scopes, read: (projectId) => this.read(projectId) }
  }

  /** Whether `write` would give a handle for `projectId`. */
  canWrite(projectId: string): boolean {
    const role = highestRole(this.grants.filter(({ scope }) => scopeReaches(scope, projectId)))
    return this.reaches(projectId) && rank[role] >= rank.write
  }

  /** Whether `administer` would give a handle for `projectId`. */
  canAdminister(projectId: string): boolean {
    return highestRole(this.grants.filter(({ scope }) => scopeReaches(scope, projectId))) === 'admin'
  }

  /** Whether `projectId` is in scope. */
  reaches(projectId: string): boolean {
    return this.grants.some(({ scope }) => scopeReaches(scope, projectId))
  }

  /** @throws DomainError Forbidden, the same whether or not the project exists */
  requireReach(projectId: string): void {
    this.onReach?.(projectId)
    if (!this.reaches(projectId)) {
      throw new DomainError('Forbidden', `This ${this.credential} has no access to the project`)
    }
  }

  /** @throws DomainError Forbidden if the caller is restricted to some projects */
  requireEveryProject(): void {
    if (!this.scopes.includes('*')) {
      throw new DomainError('Forbidden', `This operation requires an ${this.credential} with scope "*"`)
    }
  }

  /** @throws DomainError Forbidden unless the caller has the role in some project */
  requireRole(role: Role): void {
    if (rank[this.role] < rank[role]) throw this.lacking(role, this.role)
  }

  /** Whether the caller administers the server: has the role `admin` in all projects. */
  get isOperator(): boolean {
    return this.grants.some(({ role, scope }) => role === 'admin' && scope === '*')
  }

  /** @throws DomainError Forbidden unless the caller administers the server */
  requireOperator(): void {
    this.requireEveryProject()
    this.requireRole('admin')
    if (!this.isOperator) throw this.lacking('admin', highestRole(this.grants.filter(({ scope }) => scope === '*')))
  }

  private lacking(required: Role, actual: Role): DomainError {
    return new DomainError(
      'Forbidden',
      `This operation requires the role "${required}"; the ${this.credential} has "${actual}"`,
    )
  }
}

const highestRole = (grants: readonly Grant[]): Role =>
  grants.reduce<Role>((highest, { role }) => (rank[role] > rank[highest] ? role : highest), 'read')
