import { expect } from 'bun:test'
import { basic } from '../support/client.ts'
import type { SpecifiedOperation } from './specified-operations.ts'

export interface Parts {
  /** Values of the path parameters; those of the project are preset. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly form?: FormData
}

/** An answer that was a success, as text, as JSON, and as the JSON of each line. */
export interface WalkAnswer<T> {
  readonly text: string
  readonly json: T
  readonly lines: readonly T[]
}

/** Translates between the neutral names of the walk and those of a dialect. */
export interface Spelling {
  write(text: string): string
  read(text: string): string
}

export const neutral: Spelling = { write: (text) => text, read: (text) => text }

/** The vendor's names: members, refs and the server's own namespace. */
export const vendor: Spelling = {
  write: (text) =>
    text
      .replaceAll('"ext_ref"', '"weave_ref"')
      .replaceAll('"ext_', '"wb_')
      .replaceAll('ext:///', 'weave:///')
      .replaceAll('"ext"', '"weave"'),
  read: (text) =>
    text
      .replaceAll('"weave_ref"', '"ext_ref"')
      .replaceAll('"weave_call_id"', '"ext_call_id"')
      .replaceAll('"wb_', '"ext_')
      .replaceAll('weave:///', 'ext:///')
      .replaceAll('"weave"', '"ext"'),
}

/**
 * Calls operations one after the other and remembers which; anything but a success ends the walk.
 */
export class Walk {
  readonly called = new Set<SpecifiedOperation>()
  private readonly spelling: Spelling
  private readonly address: string
  private readonly key: string
  private readonly project: { readonly entity: string; readonly project: string }

  constructor(options: {
    address: string
    key: string
    project: { readonly entity: string; readonly project: string }
    spelling: Spelling
  }) {
    this.address = options.address
    this.key = options.key
    this.project = options.project
    this.spelling = options.spelling
  }

  async send<T = Record<string, unknown>>(operation: SpecifiedOperation, parts: Parts = {}): Promise<WalkAnswer<T>> {
    const [method, template] = operation.split(' ') as [string, string]
    const names: Record<string, string> = { ...this.project, ...parts.path }
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name]!))
    const query = parts.query === undefined ? '' : `?${new URLSearchParams(parts.query)}`
    const response = await fetch(this.address + path + query, {
      method,
      headers: {
        authorization: basic('api', this.key),
        ...(parts.body !== undefined && { 'content-type': 'application/json' }),
      },
      body: parts.form ?? (parts.body === undefined ? null : this.spelling.write(JSON.stringify(parts.body))),
    })
    const text = this.spelling.read(await response.text())
    expect(`${operation}: ${response.status} ${response.ok ? '' : text}`).toBe(`${operation}: 200 `)
    this.called.add(operation)
    const lines = text.split('\n').flatMap((line): T[] => parsed(line))
    return { text, json: parsed<T>(text)[0] as T, lines }
  }
}

/** The JSON value of a text; nothing where it is none, as the contents of files may be. */
function parsed<T>(text: string): T[] {
  try {
    return [JSON.parse(text) as T]
  } catch {
    return []
  }
}
