import { Type } from '@sinclair/typebox'
import { type BuiltinClass, Default, model, objectModel } from './builtin-class.ts'

/** Classes that the SDKs use in their own tests. */
export const examples: readonly BuiltinClass[] = [
  {
    name: 'TestOnlyExample',
    schema: objectModel('TestOnlyExample', {
      primitive: Type.Integer(),
      nested_base_model: model('TestOnlyNestedBaseModel', {
        a: Type.Integer(),
        aliased_property_alias: Type.Integer(),
      }),
      nested_base_object: Type.String(),
    }),
  },
  { name: 'TestOnlyNestedBaseObject', schema: objectModel('TestOnlyNestedBaseObject', { b: Type.Integer() }) },
  {
    name: 'TestOnlyInheritedBaseObject',
    schema: objectModel(
      'TestOnlyInheritedBaseObject',
      { b: Type.Integer(), c: Type.Integer(), additional_field: Default(Type.String(), 'default_value') },
      ['TestOnlyNestedBaseObject', 'BaseObject', 'BaseModel'],
    ),
  },
]
