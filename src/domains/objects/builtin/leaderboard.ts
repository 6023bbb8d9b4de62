import { Type } from '@sinclair/typebox'
import { type BuiltinClass, model, OrNull, objectModel } from './builtin-class.ts'

const column = model('LeaderboardColumn', {
  evaluation_object_ref: Type.String(),
  scorer_name: Type.String(),
  summary_metric_path: Type.String(),
  should_minimize: OrNull(Type.Boolean()),
})

/** Which metrics of which evaluations to compare. */
export const leaderboard: BuiltinClass = {
  name: 'Leaderboard',
  schema: objectModel('Leaderboard', { columns: Type.Array(column) }),
}
