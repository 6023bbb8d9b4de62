import { isJsonObject } from '../../lib/json-value.ts'
import { readLines } from '../input/lines.ts'
import { createTable } from '../objects/dataset.ts'
import type { ImportRecord, Target } from '../record.ts'
import type { ServerClient } from '../sender/server-client.ts'
import type { RefRewriter } from './ref-rewriter.ts'

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
    for await (const line of readLines(answer.body as unknown as AsyncIterable<Uint8Array>, () => {})) {
      const { val } = JSON.parse(line) as { val: unknown }
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
