import { BodyRooms } from '../../src/api/body-room.ts'
import type { DescribedRoute } from '../../src/api/description/openapi.ts'
import { createApplication } from '../../src/application.ts'
import type { Dialect } from '../../src/dialect/dialect.ts'
import { openFuzzApp } from '../fuzz/fuzz-app.ts'

/** The operations of the API by dialect, as they are registered. */
export async function allOperations(): Promise<(dialect: Dialect) => readonly DescribedRoute[]> {
  const { context } = await openFuzzApp()
  return (dialect) =>
    createApplication({
      context,
      services: context.inNames(dialect),
      dialect,
      bodyRooms: new BodyRooms(context.config.bodyBytesMax),
      authenticate: () => Promise.reject(new Error('No request is sent')),
      clientOf: () => undefined,
      originOf: () => ({ address: 'unknown', requestId: undefined }),
    }).routes
}
