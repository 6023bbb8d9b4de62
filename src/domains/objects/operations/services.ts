import type { Streams } from '../../requests/index.ts'
import type { Objects } from '../objects.ts'
import type { Refs } from '../refs/refs.ts'
import type { TypedObjects } from '../typed-objects/typed-objects.ts'

/** The services that these operations are given. */
export interface ObjectsServices {
  readonly objects: Objects
  readonly refs: Refs
  readonly streams: Streams
  readonly typedObjects: TypedObjects
}
