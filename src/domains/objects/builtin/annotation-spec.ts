import { Type } from '@sinclair/typebox'
import { schemaFault } from '../../scoring/index.ts'
import { type BuiltinClass, Default, FreeJsonObject, OrNull, objectModel, Texts } from './builtin-class.ts'

/** The schema of an annotation: what people can enter about a call. */
export const annotationSpec: BuiltinClass = {
  name: 'AnnotationSpec',
  schema: objectModel('AnnotationSpec', {
    field_schema: Default(FreeJsonObject, {}),
    unique_among_creators: Default(Type.Boolean(), false),
    op_scope: OrNull(Texts),
  }),
  faultIn: async ({ field_schema }) => {
    const fault = await schemaFault(field_schema)
    return fault === undefined ? undefined : `field_schema: ${fault}`
  },
}
