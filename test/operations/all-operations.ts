import { BodyRooms } from '../../src/domains/requests/body-room.ts'
import type { Dialect } from '../../src/formats/dialect/dialect.ts'
import { MiB } from '../../src/lib/bytes.ts'
import { createApplication } from '../../src/server/application.ts'
import type { Context } from '../../src/server/context.ts'
import type { DescribedRoute } from '../../src/server/requests/operation.ts'
import { RequestStates } from '../../src/server/requests/request-state.ts'

/** The operations of the API by dialect, as they are registered. */
export const operationsOver =
  (context: Context) =>
  (dialect: Dialect): readonly DescribedRoute[] =>
    createApplication({
      context,
      services: context.inNames(dialect),
      dialect,
      bodyRooms: new BodyRooms({ bodyBytesMax: MiB, memoryBytes: context.config.memoryBytesMax }),
      authenticate: () => Promise.reject(new Error('No request is sent')),
      states: new RequestStates(),
    }).routes
