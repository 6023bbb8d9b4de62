import type { OpCreate } from '../../model/families.ts'
import type { Family } from './family.ts'
import { placeholderSource } from './parts.ts'

export const ops: Family<OpCreate> = {
  one: 'op',
  className: undefined,
  defaultName: 'Op',
  latestOnly: true,
  contentOf: (parts, writer, objectId, { source_code }) =>
    parts.opContent(writer, source_code ?? placeholderSource(objectId)),
  sourceOf: ({ val }) => ({ val }),
  shown: (_version, code) => ({ code }),
}
