import { useMemo, useState } from 'preact/hooks'
import { type CallRule, changeRule, createRule, type RuleChange } from '../../../api/rules.ts'
import { Field } from '../../../components/controls/field.tsx'
import { Segments } from '../../../components/controls/segments.tsx'
import { Select } from '../../../components/controls/select.tsx'
import { LoadingRows } from '../../../components/states/loading-rows.tsx'
import { FilterBar } from '../../../filter/filter-bar.tsx'
import { readFilter, textOfQuery } from '../../../filter/filter-text.ts'
import { queuesQuery } from '../../../review/queues.ts'
import { useQuery } from '../../../state/query-signal.ts'
import { suggesterFor } from '../../../table/suggest.ts'
import { rulesText } from '../../../text/settings/rules.ts'
import settings from '../settings.module.css'
import { SettingsForm } from '../settings-form.tsx'
import { dollarsIn } from './dollars.ts'
import { scorerIn, scorerRef } from './rule-words.ts'
import css from './rules.module.css'
import { ScorerLines } from './scorer-lines.tsx'
import { useScorers } from './use-scorers.ts'

type Kind = CallRule['action']['kind']

interface RuleDialogProps {
  readonly projectId: string
  /** The rule to edit; a new one without. */
  readonly before?: CallRule
  readonly onClose: () => void
  readonly onSaved: (saved: { readonly id: string; readonly name: string }) => unknown
}

const percentOf = (share: number): string => String(Number((share * 100).toPrecision(6)))

/** Asks for what a rule does, and for which calls. */
export function RuleDialog({ projectId, before, onClose, onSaved }: RuleDialogProps) {
  const [name, setName] = useState(before?.name ?? '')
  const [kind, setKind] = useState<Kind>(before?.action.kind ?? 'score')
  const [chosen, setScorers] = useState(before?.action.kind === 'score' ? before.action.scorer_refs.map(scorerIn) : [])
  const [queue, setQueue] = useState(before?.action.kind === 'add_to_queue' ? before.action.queue_id : '')
  const [rootsOnly, setRootsOnly] = useState(before?.filter?.trace_roots_only ?? true)
  const given = before?.query == null ? '' : textOfQuery(before.query)
  const [filter, setFilter] = useState(given ?? '')
  const [sample, setSample] = useState(percentOf(before?.sample_rate ?? 1))
  const [cap, setCap] = useState(before?.daily_cost_max == null ? '' : String(before.daily_cost_max))
  const known = useScorers(projectId)
  const queues = useQuery(queuesQuery(projectId)).data
  const suggest = useMemo(() => suggesterFor(projectId, rootsOnly), [projectId, rootsOnly])
  const [first] = known ?? []
  const scorers = chosen.length > 0 || first === undefined ? chosen : [{ name: first.name, version: 'latest' }]
  const queueId = queues?.some(({ id }) => id === queue) ? queue : (queues?.[0]?.id ?? queue)
  const share = Number(sample) / 100
  const isSample = sample.trim() !== '' && share > 0 && share <= 1
  const dollars = dollarsIn(cap)
  const read = readFilter(filter)
  const hasAction = kind === 'score' ? scorers.length > 0 : queueId !== ''
  const save = async (): Promise<void> => {
    const change: RuleChange = {
      name: name.trim(),
      filter: { ...before?.filter, trace_roots_only: rootsOnly },
      // A query without words in the filter bar stays.
      ...(given === undefined && filter === '' ? {} : { query: read.query ?? null }),
      sample_rate: share,
      daily_cost_max: kind === 'score' ? (dollars ?? 0) : 0,
      action:
        kind === 'score'
          ? { kind, scorer_refs: scorers.map((scorer) => scorerRef(projectId, scorer)) }
          : { kind, queue_id: queueId, display_fields: displayFieldsOf(before) },
    }
    if (before) await changeRule(projectId, before.id, change)
    await onSaved(before ? { id: before.id, name: change.name } : await createRule(projectId, change))
  }
  return (
    <SettingsForm
      title={before ? rulesText.changeTitle : rulesText.add}
      verb={before ? rulesText.save : rulesText.create}
      isReady={name.trim() !== '' && hasAction && isSample && dollars !== undefined && !read.error}
      save={save}
      onClose={onClose}
      class={css.dialog}
    >
      {(problem) => (
        <>
          <Field
            label={rulesText.name}
            placeholder="Score answers"
            autofocus
            value={name}
            error={problem}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <Select
            label={rulesText.action}
            options={(['score', 'add_to_queue'] as const).map((id) => ({ id, label: rulesText.actions[id] }))}
            value={kind}
            onChange={setKind}
          />
          {(kind === 'score' ? known : queues) === undefined ? (
            <LoadingRows columns="1fr 1fr" rows={1} />
          ) : kind === 'score' ? (
            <ScorerLines projectId={projectId} known={known ?? []} chosen={scorers} onChange={setScorers} />
          ) : queues?.length === 0 ? (
            <p>{rulesText.noQueues}</p>
          ) : (
            <Select
              label={rulesText.queue}
              options={queues?.map(({ id, name: label }) => ({ id, label })) ?? []}
              value={queueId}
              onChange={setQueue}
            />
          )}
          <div class={css.group}>
            <Segments
              label={rulesText.scope}
              options={[
                { id: 'traces', label: rulesText.traces },
                { id: 'calls', label: rulesText.allCalls },
              ]}
              current={rootsOnly ? 'traces' : 'calls'}
              onSelect={(id) => setRootsOnly(id === 'traces')}
            />
            <div class={css.filter}>
              <FilterBar text={filter} onCommit={setFilter} suggest={suggest} />
            </div>
            {given === undefined && <span class={settings.hint}>{rulesText.apiFilter}</span>}
          </div>
          <div class={css.pair}>
            <Field
              label={rulesText.sample}
              hint={rulesText.sampleHint}
              error={isSample ? undefined : rulesText.sampleBad}
              value={sample}
              onInput={(event) => setSample(event.currentTarget.value)}
            />
            {kind === 'score' && (
              <Field
                label={rulesText.cap}
                hint={rulesText.capHint}
                error={dollars === undefined ? rulesText.capBad : undefined}
                value={cap}
                onInput={(event) => setCap(event.currentTarget.value)}
              />
            )}
          </div>
        </>
      )}
    </SettingsForm>
  )
}

const displayFieldsOf = (before: CallRule | undefined): string[] =>
  before?.action.kind === 'add_to_queue' ? [...before.action.display_fields] : []
