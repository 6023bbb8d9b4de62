import type { AnyElysia } from 'elysia'
import { BodyCheck } from '../../formats/body/body-value.ts'
import { numberPlaces } from '../../formats/dialect/number-places.ts'
import { asSchema } from '../../formats/dialect/schema-parts.ts'
import { type NumberPlace, plainPlace } from '../../formats/wire/marked-numbers.ts'
import type { OperationMetrics, RequestMetrics } from '../metrics/request-metrics.ts'
import type { DescribedRoute, Operation } from './operation.ts'

/** An operation of an application with everything that its requests need. */
export class ServedOperation {
  readonly detail: Operation
  readonly metrics: OperationMetrics
  private readonly hooks: DescribedRoute['hooks']
  private knownPlace: NumberPlace | undefined
  private knownCheck: BodyCheck | undefined

  constructor({ method, path, hooks }: DescribedRoute, metrics: RequestMetrics) {
    this.hooks = hooks
    this.detail = hooks.detail ?? {}
    const { operationId, hide } = this.detail
    this.metrics = metrics.of(operationId ?? (hide ? 'docs' : `${method} ${path}`))
  }

  /** Where numbers of a body are kept as they are written, by what its schema says. */
  get place(): NumberPlace {
    if (this.knownPlace === undefined) {
      const schema = this.detail.checkedBody ?? asSchema(this.hooks.body)
      this.knownPlace = schema === undefined ? plainPlace : numberPlaces(schema)
    }
    return this.knownPlace
  }

  /** The check of a body, compiled when it is first needed; undefined for an operation without. */
  get bodyCheck(): BodyCheck | undefined {
    const schema = this.knownCheck === undefined ? asSchema(this.hooks.body) : undefined
    if (schema !== undefined) this.knownCheck = new BodyCheck(schema)
    return this.knownCheck
  }
}

/** The operations of an application, in the order in which they are added. */
export class ServedOperations {
  /** Routes with their schemas, also those that the API description omits. */
  readonly routes: DescribedRoute[] = []
  private readonly metrics: RequestMetrics
  private readonly byRoute = new Map<string, ServedOperation>()

  constructor(metrics: RequestMetrics) {
    this.metrics = metrics
  }

  /**
   * Takes the routes of a group and returns the group, for the application to use. Elysia does not
   * learn the schemas of their bodies, so that it leaves the bodies to `bodyCheck`. See
   * docs/decisions/220-bodies-checked-by-the-server.md.
   */
  take(group: AnyElysia): AnyElysia {
    for (const route of group.routes) {
      const { method, path, hooks } = route
      const described: DescribedRoute = { method, path, hooks }
      this.routes.push(described)
      this.byRoute.set(`${method} ${path}`, new ServedOperation(described, this.metrics))
      route.hooks = { ...hooks, body: undefined }
    }
    return group
  }

  /** The operation at a path pattern, for example `POST` and `/call/read`. */
  of(method: string, route: string): ServedOperation | undefined {
    return this.byRoute.get(`${method} ${route}`)
  }
}
