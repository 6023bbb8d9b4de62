import { queries } from '../state/query-signal.ts'

/** Lists that were read a moment ago are not read again when a select is opened. */
const freshMs = 1_000

/**
 * Reads the lists of objects again that the page shows: another person may have changed them since.
 * What is being read, or was read a moment ago, is not read again.
 */
export const readShownObjects = (projectId: string): Promise<void> =>
  queries.refetchQueries(
    {
      queryKey: ['objects', projectId],
      type: 'active',
      predicate: ({ state: { dataUpdatedAt } }) => dataUpdatedAt > 0 && Date.now() - dataUpdatedAt > freshMs,
    },
    { cancelRefetch: false },
  )
