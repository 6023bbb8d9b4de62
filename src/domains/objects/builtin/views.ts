import { Type } from '@sinclair/typebox'
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

const NotEmpty = Type.String({ minLength: 1 })
const format = OrNull(oneOf('number', 'percent', 'cost', 'duration'))
const rows = Type.Integer({ minimum: 1, maximum: 50 })

const layout = model('PanelGridLayout', {
  x: Type.Integer({ minimum: 0, maximum: 23 }),
  y: Type.Integer({ minimum: 0 }),
  w: Type.Integer({ minimum: 1, maximum: 24 }),
  h: Type.Integer({ minimum: 1 }),
})

const metric = {
  version: Default(Type.Literal(1), 1),
  metric: NotEmpty,
  filter: Default(Type.String(), ''),
  format,
}

const panel = (kind: string, name: string, query: ReturnType<typeof model>) =>
  model(`${name}DashboardPanel`, {
    id: NotEmpty,
    layout,
    panel_type: Type.Literal(kind),
    settings: model(`${name}PanelSettings`, { query, title: OrNull(Type.String()) }),
  })

const panels = Type.Union([
  panel('kpi', 'Kpi', model('KpiPanelQueryConfig', metric)),
  panel(
    'timeline',
    'Timeline',
    model('TimelinePanelQueryConfig', { ...metric, groupBy: OrNull(Type.String()), limit: OrNull(rows) }),
  ),
  panel(
    'breakdown',
    'Breakdown',
    model('BreakdownPanelQueryConfig', { ...metric, groupBy: NotEmpty, limit: Default(rows, 6) }),
  ),
])

/** Panels about agents on a grid of 24 columns. */
export const agentDashboard: BuiltinClass = {
  name: 'AgentDashboard',
  schema: objectModel('AgentDashboard', {
    label: Type.String(),
    definition: model('AgentDashboardDefinition', { panels: Type.Array(panels) }),
  }),
}

const column = model('LeaderboardColumn', {
  evaluation_object_ref: Type.String(),
  scorer_name: Type.String(),
  summary_metric_path: Type.String(),
  should_minimize: OrNull(Type.Boolean()),
  // Not of the SDKs, which ignore it: runs of other versions of the evaluation count as well.
  all_versions: Type.Optional(Type.Boolean()),
})

/** Which metrics of which evaluations to compare. */
export const leaderboard: BuiltinClass = {
  name: 'Leaderboard',
  schema: objectModel('Leaderboard', { columns: Type.Array(column) }),
}

const strict = { bases: ['BaseModelStrict', 'BaseModel'] }
const sortKey = model('SortBy', { field: Type.String(), direction: oneOf('asc', 'desc') }, strict)

const callsFilter = model(
  'CallsFilter',
  {
    op_names: OrNull(Texts),
    input_refs: OrNull(Texts),
    output_refs: OrNull(Texts),
    parent_ids: OrNull(Texts),
    trace_ids: OrNull(Texts),
    call_ids: OrNull(Texts),
    thread_ids: OrNull(Texts),
    turn_ids: OrNull(Texts),
    trace_roots_only: OrNull(Type.Boolean()),
    ext_user_ids: OrNull(Texts),
    ext_run_ids: OrNull(Texts),
  },
  strict,
)

const chartConfig = model('ChartConfig', {
  x_axis: Type.String(),
  y_axis: Type.String(),
  plot_type: OrNull(oneOf('scatter', 'line', 'bar')),
  bin_count: OrNull(Type.Integer()),
  aggregation: OrNull(oneOf('average', 'sum', 'min', 'max', 'p95', 'p99')),
  group_keys: OrNull(Texts),
  custom_name: OrNull(Type.String()),
})

const viewDefinition = model('SavedViewDefinition', {
  filter: OrNull(callsFilter),
  query: OrNull(FreeJsonObject),
  cols: OrNull(Type.Record(Type.String(), Type.Boolean())),
  columns: OrNull(
    Type.Array(
      model('Column', {
        path: OrNull(Type.Array(Type.Union([Type.String(), Type.Integer()]))),
        label: OrNull(Type.String()),
      }),
    ),
  ),
  column_order: OrNull(Texts),
  expand_columns: OrNull(Texts),
  header_depth: OrNull(Type.Integer()),
  pin: OrNull(model('Pin', { left: Texts, right: Texts })),
  sort_by: OrNull(Type.Array(sortKey)),
  page: OrNull(Type.Integer()),
  page_size: OrNull(Type.Integer()),
  charts: OrNull(Type.Array(chartConfig)),
  dataset_selector: OrNull(Type.String()),
  evaluation_selector: OrNull(Type.String()),
  dynamic_leaderboard_config: OrNull(FreeJsonObject),
})

/** A saved view of calls or evaluations. */
export const savedView: BuiltinClass = {
  name: 'SavedView',
  schema: objectModel('SavedView', { view_type: Type.String(), label: Type.String(), definition: viewDefinition }),
}

/** Side-by-side comparison of evaluations. */
export const comparisonView: BuiltinClass = {
  name: 'ComparisonView',
  schema: objectModel('ComparisonView', {
    label: Type.String(),
    definition: model('ComparisonViewDefinition', {
      evaluation_call_ids: Texts,
      selected_metrics: OrNull(Texts),
    }),
  }),
}
