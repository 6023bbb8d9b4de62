import type { Static, TObject } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Documents } from '../../runtime/documents/documents.ts'

/** A document is damaged, or of a newer format. */
export class DamagedDocument extends Error {
  override readonly name = 'DamagedDocument'
}

/** A document of the server; see `OwnDocument`. */
export interface OwnRecords<Content> {
  /** @throws DamagedDocument */
  read(): Promise<Content | undefined>
  write(content: Content): Promise<void>
}

/** A kind of document: its name, and what it contains. */
export class DocumentFormat<Schema extends TObject> {
  readonly name: string
  /** As error messages call it, for example "key file". */
  private readonly kind: string
  private readonly schema: Schema

  constructor(name: string, kind: string, schema: Schema) {
    this.name = name
    this.kind = kind
    this.schema = schema
  }

  /** The content; undefined if there is no such document. @throws DamagedDocument */
  async read(documents: Documents): Promise<Static<Schema> | undefined> {
    return this.contentOf(await documents.find(this.name), documents)
  }

  async own(documents: Documents): Promise<OwnRecords<Static<Schema>>> {
    const document = await documents.own(this.name)
    return {
      read: async () => this.contentOf(await document.read(), documents),
      write: (content) => document.write(content),
    }
  }

  /** @throws DamagedDocument */
  contentOf(text: string | undefined, documents: Documents): Static<Schema> | undefined {
    if (text === undefined) return undefined
    const content = this.parse(text, documents)
    if (Value.Check(this.schema, content)) return content
    const [error] = Value.Errors(this.schema, content)
    throw this.damaged(documents, `${error?.path || '/'}: ${error?.message ?? 'unknown format'}`)
  }

  private parse(text: string, documents: Documents): unknown {
    try {
      return JSON.parse(text)
    } catch (cause) {
      throw this.damaged(documents, 'not JSON', cause)
    }
  }

  private damaged(documents: Documents, why: string, cause?: unknown): DamagedDocument {
    return new DamagedDocument(`Invalid ${this.kind} "${documents.placeOf(this.name)}": ${why}`, { cause })
  }
}
