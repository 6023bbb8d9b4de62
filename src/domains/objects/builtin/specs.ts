import { Type } from '@sinclair/typebox'
import { schemaFault } from '../../scoring/index.ts'
import {
  type BuiltinClass,
  Default,
  FreeJsonObject,
  model,
  OrNull,
  objectModel,
  oneOf,
  Texts,
} from './builtin-class.ts'

const spec = model(
  'ExtMetricThresholdSpec',
  {
    alert_condition: Default(Type.String(), 'THRESHOLD'),
    comparison_operator: Default(oneOf('GREATER_THAN', 'LESS_THAN', 'EQUAL'), 'GREATER_THAN'),
    metric_path: Default(Type.String(), ''),
    op_str: Default(Type.String(), ''),
    threshold: Default(Type.Number(), 0),
    window_size: OrNull(Type.Integer()),
    window_duration: OrNull(Type.Integer()),
    monitor_ref: OrNull(Type.String()),
    scorer_ref: OrNull(Type.String()),
    aggregation_function: Default(oneOf('mean', 'median', 'min', 'max', 'mode'), 'mean'),
  },
  { keepOthers: true },
)

/** When to raise an alert about a metric of calls. */
export const alertSpec: BuiltinClass = {
  name: 'AlertSpec',
  schema: objectModel('AlertSpec', { op_scope: OrNull(Texts), spec: Default(spec, {}) }),
}

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
