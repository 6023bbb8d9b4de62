import { mapJson } from '../../lib/json-value.ts'

const refForm = /^(weave|ext):\/\/\/([^/]+)\/([^/]+)\/(object|op|table|call)\/([^/:]+)(?::([^/]+))?(.*)$/s

/**
 * Rewrites refs of the source's project into refs of the target's. The digest of an object changes
 * if its refs do, so the refs to it have to follow.
 */
export class RefRewriter {
  private readonly from: string
  private readonly to: string
  private readonly digests = new Map<string, string>()

  constructor(from: string, to: string) {
    this.from = from
    this.to = to
  }

  /** Notes that a version, or a table, has another digest in the target. */
  noteDigest(kind: 'object' | 'table', name: string, digest: string, becomes: string): void {
    if (digest !== becomes) this.digests.set(`${kind} ${name} ${digest}`, becomes)
  }

  /** Replaces all refs in a JSON value. */
  rewrite(value: unknown): unknown {
    if (typeof value === 'string') return this.rewriteText(value)
    return mapJson(value, (child) => this.rewrite(child))
  }

  rewriteText(text: string): string {
    // Most texts are no refs.
    if (!text.startsWith('weave:///') && !text.startsWith('ext:///')) return text
    const [, scheme = '', entity = '', project = '', kind, name = '', version, rest = ''] = refForm.exec(text) ?? []
    if (kind === undefined || `${decoded(entity)}/${decoded(project)}` !== this.from) return text
    const target = this.to.split('/').map((part) => (kind === 'call' ? part : encodeURIComponent(part)))
    const start = `${scheme}:///${target.join('/')}/${kind}/`
    if (kind === 'call') return `${start}${name}${rest}`
    if (kind === 'table') return start + (this.digests.get(`table  ${name}`) ?? name) + rest
    const digest = this.digests.get(`object ${decoded(name)} ${version}`) ?? version
    return `${start}${name}${digest === undefined ? '' : `:${digest}`}${rest}`
  }

  /** The digest of the table that a text of the source refers to. */
  tableIn(text: string): string | undefined {
    const [, , entity = '', project = '', kind, name] = refForm.exec(text) ?? []
    return kind === 'table' && `${decoded(entity)}/${decoded(project)}` === this.from ? name : undefined
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
