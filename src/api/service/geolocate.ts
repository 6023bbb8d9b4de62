import { type Static, Type } from '@sinclair/typebox'
import { DomainError } from '../../errors.ts'
import { Location } from '../../foundation/geolocation/geolocation.ts'
import { OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'

export const geolocateRoute = {
  query: OpenObject({
    ip: Type.Optional(Type.String({ description: 'IPv4 or IPv6 address; the address of the caller when left out' })),
  }),
  response: {
    200: Type.Object({
      ip: Type.String(),
      location: Type.Union([Location, Type.Null()], { description: 'null when unknown, private or reserved' }),
      allowed: Type.Boolean({ description: 'Whether the address may use inference; this server offers none' }),
    }),
  },
  detail: {
    operationId: 'service.geolocate',
    summary: 'Country of an IP address',
    description: 'Looked up in a table that ships with the server; nothing is asked over the network.',
    tags: ['Service'],
  },
}

export async function geolocate(
  services: Services,
  clientIp: string | undefined,
  query: Static<typeof geolocateRoute.query>,
) {
  // An empty `?ip=` is how some clients write "none".
  const ip = query.ip || clientIp
  if (ip === undefined) throw new DomainError('InvalidRequest', 'Locate an address: none is given, nor is yours known')
  return { ip, location: await services.geolocation.locate(ip), allowed: false }
}
