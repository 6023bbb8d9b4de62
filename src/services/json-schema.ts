import { Ajv } from 'ajv'
import { RE2JS } from 're2js'

/** What is wrong with a value; undefined where nothing is. */
export type SchemaCheck = (value: unknown) => string | undefined

/** Patterns of users run in linear time (RE2), so that none can hold the server. Shaped as Ajv wants it. */
const linearRegExp = Object.assign(
  (pattern: string) => {
    const expression = RE2JS.compile(pattern)
    return { test: (text: string) => expression.matcher(text).find() }
  },
  { code: 'linearRegExp' },
)

/**
 * Prepares a JSON Schema of a user; undefined where it is none. Unknown keywords and formats are passed over.
 *
 * @param dataVar how the value is called in what the check says
 */
export function compileJsonSchema(schema: unknown, dataVar = 'value'): SchemaCheck | undefined {
  if ((typeof schema !== 'object' || schema === null) && typeof schema !== 'boolean') return undefined
  // A new one each time: schemas of users must not see each other's `$id`, nor pile up.
  const ajv = new Ajv({ strict: false, validateFormats: false, logger: false, code: { regExp: linearRegExp } })
  try {
    const isValid = ajv.compile(typeof schema === 'boolean' ? schema : ofAnyDraft(schema))
    return (value) => (isValid(value) === true ? undefined : ajv.errorsText(isValid.errors, { dataVar }))
  } catch {
    // Ajv and RE2 say in different ways that the schema is none; that it is none is the answer.
    return undefined
  }
}

/** Which draft a schema names makes no difference to what people write in them; only one is known by its name. */
function ofAnyDraft(schema: object): object {
  const { $schema: _draft, ...rest } = schema as Record<string, unknown>
  return rest
}
