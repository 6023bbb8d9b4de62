import { type TProperties, Type } from '@sinclair/typebox'
import { DomainError } from '../../../lib/errors.ts'
import { scorerClasses, scorerJudge } from '../../scoring/index.ts'
import { type BuiltinClass, FreeJsonObject, OrNull, objectModel } from './builtin-class.ts'

/** Makes fields with a default optional. */
const mayBeLeftOut = (fields: TProperties): TProperties =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, 'default' in field ? Type.Optional(field) : field]),
  )

/**
 * Scorers that the server can run itself. `column_map` maps the scorer's column names to dataset
 * columns.
 */
export const builtinScorers: readonly BuiltinClass[] = scorerClasses.map(({ className, fields }) => ({
  name: className,
  schema: objectModel(className, { column_map: OrNull(FreeJsonObject), ...mayBeLeftOut(fields.properties) }, [
    'Scorer',
    'Object',
    'BaseModel',
  ]),
  // An invalid pattern or schema shows up when it is compiled; better now than in an evaluation. A
  // slow one blocks the judging thread and not the server.
  faultIn: async (content) => {
    try {
      await scorerJudge(className, content)
      return undefined
    } catch (cause) {
      if (cause instanceof DomainError && cause.type === 'InvalidRequest') return cause.message
      throw cause
    }
  },
}))
