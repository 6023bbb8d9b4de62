import { Ajv, type ValidateFunction } from 'ajv'

const notSchema = 'its form is no JSON Schema'

/**
 * What is wrong with an annotation's value by the JSON Schema of its description; undefined where nothing is. Schemas come from
 * users, so unknown keywords and formats are passed over, and a schema that is none is what is wrong.
 */
export function annotationFault(schema: unknown, value: unknown): string | undefined {
  const compiled = compile(schema)
  if (compiled === undefined) return notSchema
  const { ajv, isValid } = compiled
  return isValid(value) === true ? undefined : ajv.errorsText(isValid.errors, { dataVar: 'value' })
}

/** That a JSON value is no JSON Schema; undefined where it is one. */
export const schemaFault = (schema: unknown): string | undefined =>
  compile(schema) === undefined ? notSchema : undefined

function compile(schema: unknown): { ajv: Ajv; isValid: ValidateFunction } | undefined {
  if ((typeof schema !== 'object' || schema === null) && typeof schema !== 'boolean') return undefined
  // A new one each time: schemas of users must not see each other's `$id`, nor pile up.
  const ajv = new Ajv({ strict: false, validateFormats: false, logger: false })
  try {
    return { ajv, isValid: ajv.compile(typeof schema === 'boolean' ? schema : ofAnyDraft(schema)) }
  } catch {
    return undefined
  }
}

/** Which draft a schema names makes no difference to what people write in them; only one is known by its name. */
function ofAnyDraft(schema: object): object {
  const { $schema: _draft, ...rest } = schema as Record<string, unknown>
  return rest
}
