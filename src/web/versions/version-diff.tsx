import { ArrowLeftRight, ArrowRight } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { Button } from '../components/controls/button.tsx'
import { Segments } from '../components/controls/segments.tsx'
import { Select } from '../components/controls/select.tsx'
import { Icon } from '../components/display/icon.tsx'
import { ErrorState } from '../components/states/error-state.tsx'
import { LoadingRows } from '../components/states/loading-rows.tsx'
import { prettyJson } from '../diff/pretty-json.ts'
import { SideDiff } from '../diff/side-diff.tsx'
import { countRows, sideRows } from '../diff/side-rows.ts'
import { formatAgo } from '../format/time.ts'
import { useKeys } from '../state/keys.ts'
import { useQuery } from '../state/query-signal.ts'
import { useMedia } from '../state/use-media.ts'
import { versionText } from '../text/version.ts'
import { compareUrl } from './compare-url.ts'
import { authorOf, contentQuery, type ObjectVersion, versionNamed } from './objects.ts'
import { marksOf } from './tag.tsx'
import css from './version-diff.module.css'

/** Whether two halves fit side by side. */
export const useLayout = (): 'beside' | 'inline' => {
  const isNarrow = useMedia('(max-width: 900px)')
  return isNarrow ? 'inline' : compareUrl.values.value.layout
}

/** Goes to the next or the previous change on the page. */
export function stepChange(step: 1 | -1): void {
  const changes = [...document.querySelectorAll<HTMLElement>('[data-change]')]
  const tops = changes.map((change) => change.getBoundingClientRect().top)
  const line = 200
  const next = step === 1 ? tops.findIndex((top) => top > line + 4) : tops.findLastIndex((top) => top < line - 4)
  const change = changes[next]
  if (!change) return
  const scroller = change.closest('[data-changes]')
  scroller?.scrollBy({ top: change.getBoundingClientRect().top - line })
}

interface VersionSelectProps {
  readonly label: string
  readonly versions: readonly ObjectVersion[]
  readonly value: string
  readonly onChange: (digest: string) => void
  /** Name of the unsaved changes. */
  readonly draft?: string | undefined
}

/** Chooses one of the versions. */
const VersionSelect = ({ label, versions, value, onChange, draft }: VersionSelectProps) => (
  <Select
    label={label}
    hideLabel
    class={css.select}
    options={[
      ...(draft === undefined ? [] : [{ id: 'draft', label: draft }]),
      ...versions.map((version) => ({
        id: version.digest,
        label: [`v${version.version_index}`, ...marksOf(version)].join(' · '),
      })),
    ]}
    value={value}
    onChange={onChange}
  />
)

interface CompareBarProps {
  readonly versions: readonly ObjectVersion[]
  readonly from: string
  readonly to: string
  readonly draft?: string | undefined
  readonly summary?: ComponentChildren
  readonly tools?: ComponentChildren
}

/** The compared versions, the size of the difference, and the layout. */
export function CompareBar({ versions, from, to, draft, summary, tools }: CompareBarProps) {
  const isNarrow = useMedia('(max-width: 900px)')
  return (
    <div class={css.bar}>
      <VersionSelect
        label={versionText.fromVersion}
        versions={versions}
        value={from}
        onChange={(next) => compareUrl.commit({ from: next })}
      />
      <Icon of={ArrowRight} class={css.arrow} />
      <VersionSelect
        label={versionText.toVersion}
        versions={versions}
        value={to}
        draft={draft}
        onChange={(next) => compareUrl.commit({ to: next })}
      />
      <span class={css.summary}>{summary}</span>
      <span class={css.tools}>
        {tools}
        {!isNarrow && (
          <Segments
            label={versionText.layout}
            options={[
              { id: 'beside', label: versionText.beside },
              { id: 'inline', label: versionText.inline },
            ]}
            current={compareUrl.values.value.layout}
            onSelect={(layout) => compareUrl.commit({ layout })}
          />
        )}
      </span>
    </div>
  )
}

/** Swaps the two versions. */
export const SwapButton = ({ from, to }: { from: string; to: string }) => (
  <Button kind="quiet" icon={ArrowLeftRight} hint="X" onClick={() => compareUrl.commit({ from: to, to: from })}>
    {versionText.swap}
  </Button>
)

/** Heads of the two columns: version, author and time. */
export const SideHeads = ({ from, to, notes }: SideHeadsProps) => (
  <div class={css.heads}>
    {[from, to].map((version, index) => (
      <span key={index} class={css.head}>
        {version && (
          <>
            <strong>v{version.version_index}</strong>
            <span>
              {authorOf(version)} · {formatAgo(version.created_at)}
            </span>
            <span class={css.said}>{notes?.get(version.digest)}</span>
          </>
        )}
      </span>
    ))}
  </div>
)

interface SideHeadsProps {
  readonly from: ObjectVersion | undefined
  readonly to: ObjectVersion | undefined
  /** Description of the changes of each version, by digest. */
  readonly notes?: ReadonlyMap<string, string> | undefined
}

interface VersionDiffProps {
  readonly projectId: string
  readonly versions: readonly ObjectVersion[]
  readonly from: string
  readonly to: string
  /** Unsaved changes: their name, and their content as JSON. */
  readonly draft?: { readonly name: string; readonly text: string } | undefined
}

/** Two versions of any object beside each other, as JSON by line. */
export function VersionDiff({ projectId, versions, from, to, draft }: VersionDiffProps) {
  const [before, after] = [versionNamed(versions, from), versionNamed(versions, to)]
  const [old, now] = [useQuery(contentQuery(projectId, before)), useQuery(contentQuery(projectId, after))]
  const layout = useLayout()
  const textOf = (id: string, stored: string | undefined) => (id === 'draft' ? draft?.text : stored)
  const [left, right] = [textOf(from, old.data), textOf(to, now.data)]
  const rows = useMemo(
    () => (left === undefined || right === undefined ? undefined : sideRows(prettyJson(left), prettyJson(right))),
    [left, right],
  )
  useKeys([
    { keys: 'n', does: versionText.nextChange, run: () => stepChange(1) },
    { keys: 'Shift+N', does: versionText.previousChange, run: () => stepChange(-1) },
    // Unsaved changes stay at the right.
    {
      keys: 'x',
      does: versionText.swap,
      run: () => to !== 'draft' && compareUrl.commit({ from: to, to: from }),
    },
  ])
  const isKnown = (id: string, version: ObjectVersion | undefined) =>
    version !== undefined || (id === 'draft' && draft !== undefined)
  const missing = isKnown(from, before) ? (isKnown(to, after) ? undefined : to) : from
  const idOf = (id: string, version: ObjectVersion | undefined) => (id === 'draft' ? id : (version?.digest ?? ''))
  const failed = [old, now].find(({ error }) => error)
  const counts = rows && countRows(rows)
  return (
    <div class={css.compare} data-changes>
      <CompareBar
        versions={versions}
        from={idOf(from, before)}
        to={idOf(to, after)}
        draft={draft?.name}
        summary={counts && versionText.lines(counts.changed, counts.added, counts.removed)}
        tools={to !== 'draft' && <SwapButton from={from} to={to} />}
      />
      {missing !== undefined ? (
        <p class={css.note}>{versionText.noSuch(missing)}</p>
      ) : failed ? (
        <ErrorState error={failed.error} retry={() => void failed.refetch()} />
      ) : rows === undefined ? (
        <LoadingRows columns="1fr 1fr" rows={12} height={20} />
      ) : (
        <>
          {layout === 'beside' && <SideHeads from={before} to={after} />}
          {rows.every(({ kind }) => kind === 'equal') ? (
            <p class={css.note}>{versionText.equal}</p>
          ) : (
            <SideDiff rows={rows} layout={layout} label={versionText.content} />
          )}
        </>
      )}
    </div>
  )
}
