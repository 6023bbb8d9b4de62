import type { ProjectReader } from '../../../domains/access/index.ts'
import type { CallsRequest } from '../../../domains/calls/index.ts'
import { parseExactly } from '../../../formats/wire/exact-json.ts'
import type { ReadCall } from '../text/call-text.ts'
import type { ToolContext } from '../tool.ts'

/**
 * The calls that a query returns, with numbers as sent. The caller bounds their number by `limit`.
 */
export async function readCalls(
  { services, signal }: ToolContext,
  reader: ProjectReader,
  request: CallsRequest,
): Promise<ReadCall[]> {
  const calls: ReadCall[] = []
  for await (const lines of services.calls.reader.jsonLines(reader, { omit_null: true, ...request }, signal)) {
    for (const line of lines) calls.push(parseExactly(line) as ReadCall)
  }
  return calls
}
