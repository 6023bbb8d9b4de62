import { useId, useMemo } from 'preact/hooks'
import { post } from '../../api/client.ts'
import { Field } from '../../components/controls/field.tsx'
import { Select } from '../../components/controls/select.tsx'
import { nameOfPath } from '../../filter/fields.ts'
import { FilterBar } from '../../filter/filter-bar.tsx'
import type { Span } from '../../filter/time-range.ts'
import { formatCount } from '../../format/number.ts'
import { useQuery } from '../../state/query-signal.ts'
import { suggesterFor } from '../../table/suggest.ts'
import { useFields } from '../../table/use-fields.ts'
import { boardText } from '../../text/board.ts'
import { type CallsSource, type Metric, metrics } from '../cards/board.ts'
import { formatsOf } from '../cards/card-data.ts'
import { areTraces, mayBeTraces } from '../cards/card-request.ts'
import { useCallsCard } from '../cards/use-card.ts'
import css from './card-panel.module.css'

interface SourceFieldsProps {
  readonly projectId: string
  readonly source: CallsSource
  readonly span: Span
  readonly onChange: (changes: Partial<CallsSource>, of?: string) => void
}

const words = boardText.panel
const suggestedMax = 60

/** Which calls a card is about, and what it shows of them. */
export function SourceFields({ projectId, source, span, onChange }: SourceFieldsProps) {
  const id = useId()
  const { metric, group, filter, rows, scorePath, scoreType } = source
  const isTraces = areTraces(source)
  const suggest = useMemo(() => suggesterFor(projectId, isTraces), [projectId, isTraces])
  const fields = useFields(projectId, isTraces)
  const scores = useScores(projectId, span, metric === 'score')
  const { content } = useCallsCard(projectId, source, span, { retryOnMount: false })
  const paths = (fields?.fields ?? [])
    .map(({ path }) => nameOfPath(path))
    .filter((name) => !notGroups.test(name))
    .slice(0, suggestedMax)
  const choose = (next: Metric): void =>
    onChange({ metric: next, ...(next === 'score' && scorePath === '' && { scorePath: scores[0] ?? '' }) })
  return (
    <>
      <div class={css.two}>
        <Select
          label={words.metric}
          value={metric}
          options={metrics.map((each) => ({ id: each, label: boardText.metrics[each] }))}
          onChange={choose}
        />
        {mayBeTraces(source) && (
          <Select
            label={words.rows}
            value={rows}
            options={(['calls', 'traces'] as const).map((each) => ({ id: each, label: words.rowsOf[each] }))}
            onChange={(next) => onChange({ rows: next })}
          />
        )}
      </div>
      {metric === 'score' && (
        <div class={css.two}>
          <Field
            label={words.scorePath}
            value={scorePath}
            list={`${id}-scores`}
            placeholder="output.correctness"
            mono
            onInput={({ currentTarget }) => onChange({ scorePath: currentTarget.value }, 'score')}
          />
          <Field
            label={words.scoreType}
            value={scoreType}
            placeholder={words.scoreTypeHint}
            onInput={({ currentTarget }) => onChange({ scoreType: currentTarget.value }, 'type')}
          />
          <datalist id={`${id}-scores`}>
            {scores.map((path) => (
              <option key={path} value={path} />
            ))}
          </datalist>
        </div>
      )}
      <Field
        label={words.group}
        value={group}
        list={`${id}-groups`}
        hint={words.groupHint}
        onInput={({ currentTarget }) => onChange({ group: currentTarget.value }, 'group')}
      />
      <datalist id={`${id}-groups`}>
        {['model', 'op', ...paths.filter((path) => path !== 'model' && path !== 'op')].map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      {content && content.series[0]?.group !== undefined && (
        <ul class={css.groups}>
          {content.series.map((one) => (
            <li key={one.name}>
              <span class={css.swatch} style={{ background: one.color }} />
              <span class="cut" dir="auto">
                {one.name}
              </span>
              <span class={css.count}>{one.total == null ? '–' : formatsOf(metric).format(one.total)}</span>
            </li>
          ))}
        </ul>
      )}
      <div class={css.field} role="group" aria-label={words.filter}>
        <span class={css.label}>{words.filter}</span>
        <FilterBar text={filter} onCommit={(text) => onChange({ filter: text })} suggest={suggest} />
        {content && (
          <p class={css.hint}>
            {metric === 'score'
              ? boardText.ofScores(formatCount(content.count))
              : words.matching(formatCount(content.count), isTraces)}
          </p>
        )}
      </div>
    </>
  )
}

/** Every call has another value of these. */
const notGroups = /^(id|trace|parent|started|ended|latency|tokens|cost|otel_dump.*|summary\.usage.*)$/

interface PayloadPath {
  readonly json_path: string
  readonly value_type: 'numeric' | 'boolean' | 'categorical'
}

/** Paths of numbers and verdicts in the feedback of a range. */
function useScores(projectId: string, span: Span, enabled: boolean): readonly string[] {
  const { data } = useQuery({
    queryKey: ['score paths', projectId, span.from, span.to],
    enabled,
    retry: false,
    queryFn: async ({ signal }) => {
      const range = {
        project_id: projectId,
        start: new Date(span.from).toISOString(),
        end: new Date(span.to).toISOString(),
        granularity: 86_400,
      }
      return (await post<{ paths: PayloadPath[] }>('/feedback/payload_schema', range, { signal })).paths
    },
  })
  return (data ?? []).filter(({ value_type }) => value_type !== 'categorical').map(({ json_path }) => json_path)
}
