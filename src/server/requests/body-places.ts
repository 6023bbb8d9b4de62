import { numberPlaces } from '../../formats/dialect/number-places.ts'
import { asSchema } from '../../formats/dialect/schema-parts.ts'
import { type NumberPlace, plainPlace } from '../../formats/wire/marked-numbers.ts'
import type { Operation } from './operation.ts'

interface Routed {
  readonly routes: readonly { readonly method: string; readonly path: string; readonly hooks: unknown }[]
}

interface RouteHooks {
  readonly body?: unknown
  readonly detail?: Operation
}

/**
 * Where numbers are kept as they are written in the bodies of an application's operations, by what
 * their schemas say. A schema is looked at when its operation is first called.
 */
export class BodyPlaces {
  private readonly app: Routed
  private readonly known = new Map<string, NumberPlace>()

  constructor(app: Routed) {
    this.app = app
  }

  /** The place of the body of an operation such as `POST /call/read`; plain for an unknown one. */
  of(operation: string): NumberPlace {
    const known = this.known.get(operation)
    if (known !== undefined) return known
    const route = this.app.routes.find(({ method, path }) => `${method} ${path}` === operation)
    const { body, detail } = (route?.hooks ?? {}) as RouteHooks
    const schema = detail?.checkedBody ?? asSchema(body)
    const place = schema === undefined ? plainPlace : numberPlaces(schema)
    // Paths that are none are not remembered: clients could send any number of them.
    if (route !== undefined) this.known.set(operation, place)
    return place
  }
}
