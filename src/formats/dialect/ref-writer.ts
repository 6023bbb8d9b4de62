import type { ObjectRef } from './parsed-ref.ts'

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
