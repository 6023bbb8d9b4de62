import { Ajv } from 'ajv'

/**
 * What is wrong with an annotation's value by the JSON Schema of its description; undefined where nothing is. Schemas come from
 * users, so unknown keywords and formats are passed over, and a schema that is none is what is wrong.
 */
export function annotationFault(schema: unknown, value: unknown): string | undefined {
  if ((typeof schema !== 'object' || schema === null) && typeof schema !== 'boolean')
    return 'its form is no JSON Schema'
  // A new one each time: schemas of users must not see each other's `$id`, nor pile up.
  const ajv = new Ajv({ strict: false, validateFormats: false, logger: false })
  try {
    const isValid = ajv.compile(schema as object | boolean)
    return isValid(value) === true ? undefined : ajv.errorsText(isValid.errors, { dataVar: 'value' })
  } catch {
    return 'its form is no JSON Schema'
  }
}
