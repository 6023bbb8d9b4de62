import { Type } from '@sinclair/typebox'
import { type BuiltinClass, Default, model, OrNull, objectModel, oneOf } from './builtin-class.ts'

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
