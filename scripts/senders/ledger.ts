import { appendFile } from 'node:fs/promises'
import type { BatchItem } from '../../src/demo/traces/call-items.ts'

/**
 * A file with the id of every call whose start the server has acknowledged, one a line. Whatever
 * happens to the server, it has to know these calls afterwards.
 */
export class Ledger {
  private readonly file: string

  constructor(file: string) {
    this.file = file
  }

  async record(acknowledged: readonly BatchItem[]): Promise<void> {
    const ids = acknowledged.flatMap((item) => (item.mode === 'start' ? [`${item.req.start.id}\n`] : []))
    if (ids.length > 0) await appendFile(this.file, ids.join(''))
  }
}
