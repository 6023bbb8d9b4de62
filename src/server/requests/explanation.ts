import { type FileSize, ReadCost, type SearchCost, withReadCost } from '../../runtime/platform/read-cost.ts'

/** The preference by which a request asks what it cost (RFC 7240). */
const preference = 'explain'

const asksForCost = ({ headers }: Request): boolean =>
  headers
    .get('prefer')
    ?.split(',')
    .some((item) => item.trim().toLowerCase() === preference) ?? false

/**
 * Answers a request, and states in `Server-Timing` what it cost if the request asks. See
 * docs/decisions/161-prefer-explain.md.
 */
export async function explained(request: Request, answer: () => Promise<Response>): Promise<Response> {
  if (!asksForCost(request)) return await answer()
  const cost = new ReadCost()
  const startMs = performance.now()
  const response = await withReadCost(cost, answer)
  response.headers.set('preference-applied', preference)
  const totalMs = performance.now() - startMs
  response.headers.set('server-timing', timingOf(cost, totalMs, await cost.amounts()))
  return response
}

/** The cost as the value of `Server-Timing` (W3C Server Timing). */
function timingOf(cost: ReadCost, totalMs: number, amounts: FileSize | undefined): string {
  const { waitedMs, readMs, statements, filesRead, filesOfProjects, filesSummed, filesScanned, search } = cost
  const atMost = filesScanned.size === 0 ? '' : 'at most '
  const amount = (count: number | undefined) => `desc="${count === undefined ? 'unknown' : `${atMost}${count}`}"`
  const duration = (ms: number) => `dur=${ms.toFixed(1)}`
  return [
    `total;${duration(totalMs)}`,
    `wait;${duration(waitedMs)}`,
    `read;${duration(readMs)};desc="${statements} statements"`,
    `files;desc="${filesRead.size} of ${Math.max(filesRead.size, filesOfProjects.size)}"`,
    `sums;desc="${filesSummed.size}"`,
    `groups;${amount(amounts?.groups)}`,
    `bytes;${amount(amounts?.bytes)}`,
    ...(search === undefined ? [] : searchTiming(search)),
  ].join(', ')
}

const searchTiming = ({ engine, ms, bytes, reason }: SearchCost): readonly string[] => [
  `engine;dur=${ms.toFixed(1)};desc="${engine}"`,
  `searched;desc="${bytes}"`,
  `reason;desc="${reason.replaceAll(/["\\]/g, "'")}"`,
]
