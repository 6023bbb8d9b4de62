import { Type } from '@sinclair/typebox'
import { type BuiltinClass, Default, FreeJsonObject, OrNull, objectModel, Texts } from './builtin-class.ts'

/** The form of an annotation: what people may say about a call. */
export const annotationSpec: BuiltinClass = {
  name: 'AnnotationSpec',
  schema: objectModel('AnnotationSpec', {
    field_schema: Default(FreeJsonObject, {}),
    unique_among_creators: Default(Type.Boolean(), false),
    op_scope: OrNull(Texts),
  }),
  faultIn: async ({ field_schema }) => {
    // The checker of schemas is large, and few need it.
    const { schemaFault } = await import('../../feedback/annotation-value.ts')
    const fault = schemaFault(field_schema)
    return fault === undefined ? undefined : `field_schema: ${fault}`
  },
}
