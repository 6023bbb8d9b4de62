import type { OpCreate } from '../../model/families.ts'
import type { Family } from './family.ts'
import { placeholderSource } from './object-builder.ts'

export const ops: Family<OpCreate> = {
  one: 'op',
  className: undefined,
  defaultName: 'Op',
  latestOnly: true,
  contentOf: (builder, writer, objectId, { source_code }) =>
    builder.opContent(writer, source_code ?? placeholderSource(objectId)),
  sourceOf: ({ val }) => ({ val }),
  shown: (_version, code) => ({ code }),
}
