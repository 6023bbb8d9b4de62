import { type TProperties, Type } from '@sinclair/typebox'
import { DomainError } from '../../../errors.ts'
import { scorerJudge } from '../../../foundation/judging/scorer-judge.ts'
import { scorerClasses } from '../../../foundation/scorers/scorer-classes.ts'
import { type BuiltinClass, FreeJsonObject, OrNull, objectModel } from './builtin-class.ts'

/** Fields with a default need not be given. */
const mayBeLeftOut = (fields: TProperties): TProperties =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, 'default' in field ? Type.Optional(field) : field]),
  )

/** The scorers that the server can run by itself. `column_map` gives columns of a dataset the names by which the scorer calls them. */
export const builtinScorers: readonly BuiltinClass[] = scorerClasses.map(({ className, fields }) => ({
  name: className,
  schema: objectModel(className, { column_map: OrNull(FreeJsonObject), ...mayBeLeftOut(fields.properties) }, [
    'Scorer',
    'Object',
    'BaseModel',
  ]),
  // A pattern or a schema that is none shows when it is prepared; better now than in an evaluation. One that takes long holds up a thread
  // and not the server.
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
