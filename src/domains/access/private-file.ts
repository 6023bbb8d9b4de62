import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import { findText } from '../../runtime/platform/files/files.ts'

/** A private file is damaged, or of a newer format. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile'
}

/** A kind of small JSON file in the data folder that only the owner of the process can read. */
export class PrivateFile<Schema extends TSchema> {
  /** The file's name in error messages, as in "key file". */
  private readonly kind: string
  private readonly schema: Schema

  constructor(kind: string, schema: Schema) {
    this.kind = kind
    this.schema = schema
  }

  /** The content of `file`; undefined if it does not exist. @throws DamagedFile */
  async read(file: string): Promise<Static<Schema> | undefined> {
    const text = await findText(file)
    if (text === undefined) return undefined
    const content = this.parse(text, file)
    if (Value.Check(this.schema, content)) return content
    const [error] = Value.Errors(this.schema, content)
    throw new DamagedFile(
      `Invalid ${this.kind} "${file}": ${error?.path || '/'}: ${error?.message ?? 'unknown format'}`,
    )
  }

  /** Replaces `file` atomically. */
  async write(file: string, content: Static<Schema>): Promise<void> {
    await writeFileDurably(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  }

  private parse(text: string, file: string): unknown {
    try {
      return JSON.parse(text)
    } catch (cause) {
      throw new DamagedFile(`Invalid ${this.kind} "${file}": not JSON`, { cause })
    }
  }
}
