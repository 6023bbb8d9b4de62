import { type Static, Type } from '@sinclair/typebox'
import { CallsQuery } from '../../../../formats/schemas/calls.ts'
import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import type { Caller } from '../../../access/caller.ts'
import type { CallsServices } from '../services.ts'

const { project_id, filter, query, limit, include_total_storage_size, expand_columns } = CallsQuery.properties

export const queryStatsRoute = {
  body: OpenObject({ project_id, filter, query, limit, include_total_storage_size, expand_columns }),
  response: {
    200: Type.Object({
      count: Type.Integer(),
      has_more: Type.Boolean(),
      total_storage_size_bytes: Type.Union([Type.Integer(), Type.Null()]),
    }),
  },
  detail: {
    operationId: 'calls.queryStats',
    readOnly: true,
    summary: 'Count calls',
    description: 'With `limit`, counting stops there and `has_more` is true if the limit was reached.',
    tags: ['Calls'],
  },
}

export const queryStats = (
  services: CallsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof queryStatsRoute.body>,
) => services.calls.reader.stats(caller.read(body.project_id), body, signal)
