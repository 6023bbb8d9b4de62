import { isJsonObject, mapJson } from '../../lib/json-value.ts'
import { responseLines } from '../input/lines.ts'
import { createTable } from '../objects/dataset.ts'
import { setLabels } from '../objects/named-object.ts'
import type { ImportRecord, Target } from '../record.ts'
import { objectsIn, textIn } from '../reply.ts'
import type { ServerClient } from '../sender/server-client.ts'

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

/** Copies what objects and calls refer to by digest: files and tables, each once. */
export class Copies {
  private readonly from: ServerClient
  private readonly refs: RefRewriter
  private readonly files = new Set<string>()
  private readonly tables = new Set<string>()

  constructor(from: ServerClient, refs: RefRewriter) {
    this.from = from
    this.refs = refs
  }

  /** The files and tables in a value that were not copied before. */
  *neededBy(value: unknown): Generator<ImportRecord> {
    if (typeof value === 'string') {
      const digest = this.refs.tableIn(value)
      if (digest !== undefined && !this.tables.has(digest)) {
        this.tables.add(digest)
        yield { kind: 'request', what: 'tables', name: digest, send: (target) => this.copyTable(digest, target) }
      }
    } else if (Array.isArray(value)) {
      for (const element of value) yield* this.neededBy(element)
    } else if (isJsonObject(value)) {
      if (isCustom(value)) yield* this.filesOf(value['files'])
      for (const member of Object.values(value)) yield* this.neededBy(member)
    }
  }

  private *filesOf(files: unknown): Generator<ImportRecord> {
    for (const [name, digest] of isJsonObject(files) ? Object.entries(files) : []) {
      if (typeof digest !== 'string' || this.files.has(digest)) continue
      this.files.add(digest)
      yield { kind: 'request', what: 'files', name, send: (target) => this.copyFile(name, digest, target) }
    }
  }

  private async copyFile(name: string, digest: string, target: Target): Promise<void> {
    const body = JSON.stringify({ project_id: this.from.project, digest })
    const answer = await this.from.open('/file/content', jsonRequest(body))
    const form = new FormData()
    form.set('project_id', target.project)
    form.set('expected_digest', digest)
    form.set('file', await answer.blob(), name)
    await target.post('/file/create', form)
  }

  private async copyTable(digest: string, target: Target): Promise<void> {
    const rows: unknown[] = []
    const body = JSON.stringify({ project_id: this.from.project, digest })
    const answer = await this.from.open('/table/query_stream', jsonRequest(body))
    for await (const line of responseLines(answer)) {
      const { val }: { val: unknown } = JSON.parse(line)
      rows.push(this.refs.rewrite(val))
    }
    this.refs.noteDigest('table', '', digest, await createTable(target, rows))
  }
}

export const jsonRequest = (body: string): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/json' },
})

const isCustom = ({ _type }: Record<string, unknown>): boolean =>
  _type === 'CustomWeaveType' || _type === 'CustomExtType'

const pageSize = 100

interface Version {
  readonly object_id: string
  readonly digest: string
  readonly val: unknown
  readonly tags: readonly string[]
  readonly aliases: readonly string[]
}

const versionOf = (object: Readonly<Record<string, unknown>>): Version => ({
  object_id: textIn(object, 'object_id'),
  digest: textIn(object, 'digest'),
  val: object['val'],
  tags: Array.isArray(object['tags']) ? object['tags'].map(String) : [],
  aliases: Array.isArray(object['aliases']) ? object['aliases'].map(String) : [],
})

/** All versions of objects and ops, the oldest first: refs lead to older ones. */
export async function* weaveObjects(
  from: ServerClient,
  refs: RefRewriter,
  copies: Copies,
): AsyncGenerator<ImportRecord> {
  for (let offset = 0; ; offset += pageSize) {
    const reply = await from.post('/objs/query', {
      project_id: from.project,
      filter: { latest_only: false },
      include_tags_and_aliases: true,
      sort_by: [{ field: 'created_at', direction: 'asc' }],
      limit: pageSize,
      offset,
    })
    const versions = objectsIn(reply, 'objs').map(versionOf)
    for (const version of versions) {
      yield* copies.neededBy(version.val)
      yield objectRecord(version, refs)
    }
    if (versions.length < pageSize) return
  }
}

const objectRecord = ({ object_id, digest, val, tags, aliases }: Version, refs: RefRewriter): ImportRecord => ({
  kind: 'request',
  what: 'object versions',
  name: `${object_id}:${digest}`,
  async send(target) {
    const rewritten = refs.rewrite(val)
    const isSame = JSON.stringify(rewritten) === JSON.stringify(val)
    const obj = { project_id: target.project, object_id, val: rewritten, ...(isSame && { expected_digest: digest }) }
    const created = textIn(await target.post('/obj/create', { obj }), 'digest')
    refs.noteDigest('object', object_id, digest, created)
    await setLabels(target, object_id, created, { tags, aliases })
  },
})
