import type { DatasetCreate } from '../../model/families.ts'
import { described, membersOf, textOrNull } from './content.ts'
import { classContent, type Family } from './family.ts'

export const datasets: Family<DatasetCreate> = {
  one: 'dataset',
  className: 'Dataset',
  defaultName: 'Dataset',
  latestOnly: false,
  contentOf: async (builder, writer, _objectId, { name, description, rows }) => {
    const { digest } = await builder.tables.writer.create(writer, rows)
    return classContent('Dataset', {
      name: name ?? 'Dataset',
      description: description ?? null,
      rows: builder.tableRef(writer.projectId, digest),
    })
  },
  shown: (version) => ({
    ...described(version),
    rows: textOrNull(membersOf(version)['rows']) ?? '',
  }),
}
