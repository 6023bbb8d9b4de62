import { type Static, Type } from '@sinclair/typebox'
import { OpenObject } from '../../formats/schemas/nullable.ts'
import { DomainError } from '../../lib/errors.ts'
import { Location } from '../../runtime/geolocation/geolocation.ts'
import type { Services } from '../services.ts'

export const geolocateRoute = {
  query: OpenObject({
    ip: Type.Optional(Type.String({ description: 'IPv4 or IPv6 address; defaults to the address of the caller' })),
  }),
  response: {
    200: Type.Object({
      ip: Type.String(),
      location: Type.Union([Location, Type.Null()], {
        description: 'Null if the address is unknown, private or reserved',
      }),
      allowed: Type.Boolean({
        description: 'Whether inference is available at this location; always false on this server',
      }),
    }),
  },
  detail: {
    operationId: 'service.geolocate',
    summary: 'Look up the country of an IP address',
    description: 'Uses a table that ships with the server; no network requests are made.',
    tags: ['Service'],
  },
}

export async function geolocate(
  services: Services,
  clientIp: string | undefined,
  query: Static<typeof geolocateRoute.query>,
) {
  // Some clients send an empty `?ip=` for "none".
  const ip = query.ip || clientIp
  if (ip === undefined)
    throw new DomainError('InvalidRequest', 'No IP address given, and the address of the caller is unknown')
  return { ip, location: await services.geolocation.locate(ip), allowed: false }
}
