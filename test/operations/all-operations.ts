import { BodyRooms } from '../../src/api/body-room.ts'
import type { DescribedRoute } from '../../src/api/description/openapi.ts'
import { createApplication } from '../../src/application.ts'
import type { Context } from '../../src/context.ts'
import type { Dialect } from '../../src/dialect/dialect.ts'

/** The operations of the API by dialect, as they are registered. */
export const operationsOver =
  (context: Context) =>
  (dialect: Dialect): readonly DescribedRoute[] =>
    createApplication({
      context,
      services: context.inNames(dialect),
      dialect,
      bodyRooms: new BodyRooms(context.config.bodyBytesMax),
      authenticate: () => Promise.reject(new Error('No request is sent')),
      clientOf: () => undefined,
      originOf: () => ({ address: 'unknown', requestId: undefined }),
    }).routes
