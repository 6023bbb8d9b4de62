import { DomainError, quoted } from '../../lib/errors.ts'
import { itemAt, present } from '../../lib/present.ts'
import { internalProjectId, ProjectId, projectIdOf } from '../../lib/project-id.ts'
import { spellings } from './spellings.ts'

/**
 * A step from an object into its contents: attribute, member, element, or row of a table. `value`
 * is decoded.
 */
export interface RefEdge {
  readonly kind: 'attr' | 'key' | 'index' | 'id'
  readonly value: string
}

/**
 * `<scheme><entity>/<project>/object/<name>:<version>[/<edge>/<value>]…`, and the same with `op`.
 */
export interface ObjectRef {
  readonly kind: 'object' | 'op'
  /** `entity/project`. */
  readonly projectId: string
  readonly name: string
  /** Digest, `latest`, `v<number>`, an alias, or `*`. */
  readonly version: string
  readonly edges: readonly RefEdge[]
}

/** `<scheme><entity>/<project>/table/<digest>`. */
interface TableRef {
  readonly kind: 'table'
  readonly projectId: string
  readonly digest: string
}

/** `<scheme><entity>/<project>/call/<id>`; anything after the id is dropped. */
interface CallRef {
  readonly kind: 'call'
  readonly projectId: string
  readonly id: string
}

export type ParsedRef = ObjectRef | TableRef | CallRef

const schemes = [
  ...Object.values(spellings).map((of) => ({
    scheme: of.refScheme,
    isInternal: false,
    otherForm: of.internalRefScheme,
  })),
  ...Object.values(spellings).map((of) => ({
    scheme: of.internalRefScheme,
    isInternal: true,
    otherForm: of.refScheme,
  })),
]

/** A ref whose project is parsed and whose tail is not. */
export interface RefInProject {
  readonly projectId: string
  readonly isInternal: boolean
  /** Everything after the project and its slash, verbatim. */
  readonly tail: string
  /**
   * The same ref with the project in the other form: name instead of internal id, or vice versa.
   */
  readonly inOtherForm: string
}

/**
 * Splits the project off a text that starts like a ref of either dialect; undefined for other
 * texts.
 *
 * @throws DomainError InvalidRequest if the project or the tail is missing or malformed
 */
export function splitRef(text: string): RefInProject | undefined {
  const found = schemes.find(({ scheme }) => text.startsWith(scheme))
  if (found === undefined) return undefined
  const rest = text.slice(found.scheme.length)
  const [, project = '', tail = ''] =
    (found.isInternal ? /^([^/]+)\/(.+)$/s : /^([^/]+\/[^/]+)\/(.+)$/s).exec(rest) ?? []
  const projectId = found.isInternal ? projectIdOf(project) : decoded(project)
  if (projectId === undefined || tail === '' || !isProjectId(projectId)) {
    throw malformed(text, 'the scheme must be followed by a project and a path in it')
  }
  const other = found.isInternal ? projectId : internalProjectId(projectId)
  return { projectId, isInternal: found.isInternal, tail, inOtherForm: `${found.otherForm}${other}/${tail}` }
}

/**
 * Parses a ref in any spelling.
 * @throws DomainError InvalidRequest for any other text
 */
export function parseRef(text: string): ParsedRef {
  const split = splitRef(text)
  if (split === undefined)
    throw malformed(text, `it must start with one of ${schemes.map(({ scheme }) => scheme).join(', ')}`)
  const { projectId, tail } = split
  const [kind, first = '', ...rest] = tail.split('/')
  switch (kind) {
    case 'object':
    case 'op': {
      const [name, version, ...more] = first.split(':').map(decoded)
      if (more.length > 0 || !isName(name) || !isName(version))
        throw malformed(text, `"${kind}" must be followed by <name>:<version>`)
      return { kind, projectId, name, version, edges: edgesOf(text, rest) }
    }
    case 'table': {
      const digest = decoded(first)
      if (rest.length > 0 || !isName(digest))
        throw malformed(text, '"table" must be followed by a digest and nothing else')
      return { kind, projectId, digest }
    }
    case 'call': {
      const id = decoded(first)
      if (!id) throw malformed(text, '"call" must be followed by an id')
      return { kind, projectId, id }
    }
    default:
      throw malformed(text, 'the kind must be one of object, op, table, call')
  }
}

/** Like `parseRef`; undefined for other texts. */
export function findRef(text: string): ParsedRef | undefined {
  try {
    return parseRef(text)
  } catch {
    return undefined
  }
}

/** Parses an object or op ref; undefined for other texts. */
export function findObjectRef(text: string): ObjectRef | undefined {
  const ref = findRef(text)
  return ref?.kind === 'object' || ref?.kind === 'op' ? ref : undefined
}

/** The call id of a call ref in the given project; undefined for other texts. */
export function callIdOf(text: string, projectId: string): string | undefined {
  const ref = findRef(text)
  return ref?.kind === 'call' && ref.projectId === projectId ? ref.id : undefined
}

const edgeKinds = ['attr', 'key', 'index', 'id'] as const

function edgesOf(text: string, parts: readonly string[]): RefEdge[] {
  if (parts.length % 2 !== 0) throw malformed(text, 'edges must come in pairs, <edge>/<value>')
  return Array.from({ length: parts.length / 2 }, (_, pair) => {
    const kind = edgeKinds.find((known) => known === parts[pair * 2])
    const value = decoded(itemAt(parts, pair * 2 + 1))
    if (kind === undefined) throw malformed(text, `an edge must be one of ${edgeKinds.join(', ')}`)
    if (kind === 'index' && !/^-?\d+$/.test(value)) throw malformed(text, 'an index must be an integer')
    return { kind, value }
  })
}

const projectIdPattern = new RegExp(present(ProjectId.pattern, 'The pattern of project ids'))

const isProjectId = (text: string): boolean => projectIdPattern.test(text)

const isName = (text: string | undefined): text is string => text !== undefined && text !== '' && !/[/:]/.test(text)

/** Decodes like Python's `unquote`: a percent sign that begins no escape stands for itself. */
const decoded = (part: string): string =>
  part.replace(/(?:%[\dA-Fa-f]{2})+/g, (escapes) => {
    const bytes = Uint8Array.from(escapes.slice(1).split('%'), (digits) => Number.parseInt(digits, 16))
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  })

const malformed = (text: string, what: string) =>
  new DomainError('InvalidRequest', `Invalid ref ${quoted(text, 200)}: ${what}`)

/** Writes refs in the scheme of one dialect. */
export class RefWriter {
  private readonly scheme: string

  /** @param scheme including slashes */
  constructor(scheme: string) {
    this.scheme = scheme
  }

  /** Ref to a version of an object or op, or to a path inside it. */
  object({ kind, projectId, name, version, edges = [] }: Omit<ObjectRef, 'edges'> & Partial<ObjectRef>): string {
    const steps = edges.map(({ kind: edge, value }) => `/${edge}/${encoded(value)}`)
    return `${this.projectPart(projectId)}/${kind}/${encoded(name)}:${encoded(version)}${steps.join('')}`
  }

  table(projectId: string, digest: string): string {
    return `${this.projectPart(projectId)}/table/${digest}`
  }

  /** The project is written as is, including spaces: that is how SDKs write call refs. */
  call(projectId: string, id: string): string {
    return `${this.scheme}${projectId}/call/${id}`
  }

  private projectPart(projectId: string): string {
    return this.scheme + projectId.split('/').map(encoded).join('/')
  }
}

/** Percent-encodes all but letters, digits, `_`, `.`, `~` and `-` (RFC 3986, unreserved). */
const encoded = (part: string): string =>
  encodeURIComponent(part).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
