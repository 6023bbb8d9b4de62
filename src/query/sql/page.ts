import type { Parameters } from './parameters.ts'

/** LIMIT and OFFSET, each with a leading space, if requested. */
export function pageSql(
  { limit, offset = 0 }: { readonly limit?: number | undefined; readonly offset?: number | undefined },
  parameters: Parameters,
): string {
  const cut = limit === undefined ? '' : ` LIMIT ${parameters.bind(BigInt(limit))}::BIGINT`
  const skip = offset === 0 ? '' : ` OFFSET ${parameters.bind(BigInt(offset))}::BIGINT`
  return cut + skip
}
