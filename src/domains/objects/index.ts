/**
 * Versioned objects, refs to them, their labels. Other code imports this subject through this
 * file.
 */

export type { ObjectVersion } from './model/objects.ts'
export { checkObjectId } from './object-class.ts'
export { findAnnotationSchema, Objects } from './objects.ts'
export { familiesApi } from './operations/families/index.ts'
export { objectsApi, refsApi } from './operations/objects/index.ts'
export { Refs } from './refs/refs.ts'
export { classContent } from './typed-objects/family.ts'
export { datasets } from './typed-objects/kinds.ts'
export { ObjectBuilder } from './typed-objects/object-builder.ts'
export { TypedObjects } from './typed-objects/typed-objects.ts'
