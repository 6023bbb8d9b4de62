import { ChevronDown, ChevronUp } from 'lucide'
import { useState } from 'preact/hooks'
import { type Mapped, nameOfPath, valueAt } from '../../collect/call-rows.ts'
import css from '../../collect/collect.module.css'
import { ColumnLetter } from '../../collect/column-letter.tsx'
import { Correction } from '../../collect/correction.tsx'
import { MappingList } from '../../collect/mapping-list.tsx'
import { RowsPreview } from '../../collect/rows-preview.tsx'
import { comparedRowsMax } from '../../collect/use-dataset-target.ts'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { Field } from '../../components/controls/field.tsx'
import { Segments } from '../../components/controls/segments.tsx'
import { Select } from '../../components/controls/select.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { JsonView } from '../../json/json-view.tsx'
import { Page } from '../../page/page.tsx'
import { useKeys } from '../../state/keys.ts'
import { callPath } from '../../state/paths.ts'
import { collectText } from '../../text/collect.ts'
import { datasetText } from '../../text/dataset.ts'
import { partsText } from '../../text/parts.ts'
import { collectUrl } from './collect-url.ts'
import { type CollectSource, newOne, useCollecting } from './use-collecting.ts'

interface CollectingProps extends CollectSource {
  readonly back: { readonly href: string; readonly label: string }
  /** How many calls or threads were chosen; some may be gone. */
  readonly asked: number
  readonly callCount: number
  readonly hasThreads: boolean
}

/** Columns with a key of their own: later letters have other meanings on every page. */
const columnKeys = ['a', 'b', 'c', 'd', 'e', 'f']

/** The payload on one side; what fills the columns, and the rows, on the other. */
export function Collecting({ projectId, sources, back, asked, callCount, hasThreads }: CollectingProps) {
  const page = useCollecting({ projectId, sources })
  const { mapping, source, at } = page
  const [filling, setFilling] = useState<number>()
  const step = (to: number) => to >= 0 && to < sources.length && collectUrl.replace({ at: to })
  const change = (next: readonly Mapped[]) => page.setMapping(next)
  const pick = (path: string) => {
    const taken = mapping.findIndex((each) => each.path === path)
    if (filling === undefined) {
      if (taken >= 0) setFilling(taken)
      else change([...mapping, { column: freeName(nameOfPath(path), mapping), path }])
      return
    }
    const named = mapping[filling]?.column || freeName(nameOfPath(path), mapping)
    change(mapping.map((each, index) => (index === filling ? { column: named, path } : each)))
    setFilling(undefined)
  }
  useKeys([
    { keys: '[', does: collectText.previousCall, run: () => step(at - 1) },
    { keys: ']', does: collectText.nextCall, run: () => step(at + 1) },
    { keys: 'Escape', does: collectText.keys.leave, run: () => setFilling(undefined) },
    { keys: '$mod+Enter', does: collectText.keys.add, everywhere: true, run: () => void page.add() },
    ...columnKeys.map((keys, index) => ({
      keys,
      does: collectText.keys.column,
      run: () => index < mapping.length && setFilling(index),
    })),
  ])
  const label = (path: string) => {
    const index = mapping.findIndex((each) => each.path === path)
    return index < 0 ? undefined : <MarkOf index={index} column={mapping[index]?.column ?? ''} isMapped />
  }
  const hint = (path: string) =>
    filling === undefined ? (
      <span>{collectText.addHint(freeName(nameOfPath(path), mapping))}</span>
    ) : (
      <MarkOf index={filling} column={collectText.fillHint(mapping[filling]?.column ?? '')} isMapped={false} />
    )
  return (
    <Page
      name={collectText.title}
      title={collectText.titleOf(callCount)}
      back={back}
      class={css.body}
      actions={
        hasThreads && (
          <>
            <span class={css.rowFor}>{collectText.rowFor}</span>
            <Segments
              label={collectText.rowFor}
              options={[
                { id: 'call', label: collectText.eachCall },
                { id: 'thread', label: collectText.eachThread },
              ]}
              current={collectUrl.values.value.by}
              onSelect={(by) => collectUrl.commit({ by, at: 0 })}
            />
          </>
        )
      }
      foot={{
        facts: sources.length < asked && <span>{collectText.gone(asked - sources.length)}</span>,
        keys: [
          ['A – F', collectText.keys.columnShort],
          ['↵', collectText.keys.map],
          ['[ ]', collectText.keys.call],
          ['⌘↵', collectText.keys.addShort],
        ],
      }}
    >
      <div class={css.payload}>
        <div class={css.step}>
          <strong class="cut" dir="auto">
            {source.name}
          </strong>
          <a class={css.id} href={callPath(projectId, source.id)} data-tip={collectText.openTrace}>
            {source.id.slice(0, 8)}
          </a>
          <span class={css.place}>{collectText.callOf(at + 1, sources.length)}</span>
          <IconButton
            of={ChevronUp}
            size="compact"
            label={collectText.previousCall}
            hint="["
            disabled={at === 0}
            onClick={() => step(at - 1)}
          />
          <IconButton
            of={ChevronDown}
            size="compact"
            label={collectText.nextCall}
            hint="]"
            disabled={at === sources.length - 1}
            onClick={() => step(at + 1)}
          />
        </div>
        <JsonView
          key={source.id}
          text={source.text}
          name={collectText.payload}
          picks={{ markOf: label, hintOf: hint, onPick: pick }}
        />
        {page.answer !== undefined && (
          <Correction
            key={`${source.id} correction`}
            output={valueAt(source.text, page.answer.path)}
            correction={page.corrections.get(source.id)}
            onChange={(correction) => page.correct(source.id, correction)}
          />
        )}
      </div>
      <div class={css.side}>
        {page.failed ? (
          <ErrorState error={page.failed.error} retry={() => void page.failed?.refetch()} />
        ) : !page.isKnown ? (
          <LoadingRows columns="16px 1fr 2fr" rows={6} height={52} what={collectText.reading} />
        ) : (
          <>
            <div class={css.top}>
              <Select
                label={collectText.into}
                value={page.into}
                options={[...page.datasets, { id: newOne, label: collectText.newDataset }]}
                onChange={(into) => {
                  setFilling(undefined)
                  page.choose(into)
                }}
              />
              {page.isNew && (
                <Field
                  label={collectText.name}
                  value={page.name}
                  error={page.isTaken ? datasetText.nameTaken(page.name.trim()) : undefined}
                  required
                  autocomplete="off"
                  onInput={(event) => page.setName(event.currentTarget.value)}
                />
              )}
            </div>
            <MappingList
              mapping={mapping}
              columns={page.columns}
              paths={page.paths}
              source={source}
              filling={filling}
              isKept={page.isKept}
              onFill={setFilling}
              onChange={change}
              onReset={page.startAgain}
            />
            <RowsPreview
              rows={page.rows}
              mapping={mapping}
              at={at}
              already={page.already}
              onShow={step}
              onAlready={page.setAlready}
            />
            <p class={css.note}>
              {collectText.keepsCall}
              {page.isCut && ` ${collectText.comparedOnly(comparedRowsMax)}`}
            </p>
          </>
        )}
        <div class={css.foot} data-save-bar>
          <Button kind="quiet" onClick={page.leave}>
            {partsText.cancel}
          </Button>
          <Button kind="primary" hint="⌘↵" busy={page.busy} disabled={!page.isReady} onClick={() => void page.add()}>
            {page.isKnown ? collectText.addRows(page.added, page.replaced, page.nextVersion) : collectText.add}
          </Button>
        </div>
      </div>
    </Page>
  )
}

const MarkOf = ({ index, column, isMapped }: { index: number; column: string; isMapped: boolean }) => (
  <>
    <ColumnLetter index={index} isMapped={isMapped} />
    {column}
  </>
)

/** A name that no column has yet. */
function freeName(name: string, mapping: readonly Mapped[]): string {
  const wanted = name || 'value'
  const isTaken = (tried: string) => mapping.some(({ column }) => column === tried)
  if (!isTaken(wanted)) return wanted
  for (let count = 2; ; count++) if (!isTaken(`${wanted}_${count}`)) return `${wanted}_${count}`
}
