import { ExternalLink } from 'lucide'
import { useMemo, useState } from 'preact/hooks'
import { itemAt } from '../../lib/present.ts'
import { Segments } from '../components/controls/segments.tsx'
import { Tabs } from '../components/controls/tabs.tsx'
import { Icon } from '../components/display/icon.tsx'
import { KindIcon } from '../components/display/kind-icon.tsx'
import { kindOf as knownKind } from '../components/display/kinds.ts'
import { Banner } from '../components/states/banner.tsx'
import { ErrorState } from '../components/states/error-state.tsx'
import { LoadingRows } from '../components/states/loading-rows.tsx'
import { DiffView } from '../diff/diff-view.tsx'
import { prettyJson } from '../diff/pretty-json.ts'
import { formatBytes } from '../format/number.ts'
import { stringText } from '../json/string-text.ts'
import { type Payload, usePayload } from '../json/use-payload.ts'
import { tracePath } from '../state/paths.ts'
import { compareText } from '../text/trace/compare.ts'
import { jsonText } from '../text/trace/json.ts'
import { kindOf, nameOf } from '../trace/skeleton.ts'
import { type AlignedRow, rowIn, type Side } from './align.ts'
import css from './call-compare.module.css'
import { letterOf, letters, SideMark } from './side-mark.tsx'

interface ValueDiffProps {
  readonly projectId: string
  readonly path: 'inputs' | 'output'
  readonly baseId: string
  readonly otherId: string
  readonly letter: string
}

/** The difference between a value of one call and that of another. */
function ValueDiff({ projectId, path, baseId, otherId, letter }: ValueDiffProps) {
  const base = usePayload(projectId, baseId, path)
  const other = usePayload(projectId, otherId, path)
  const before = useMemo(() => linesOf(base), [base.text])
  const after = useMemo(() => linesOf(other), [other.text])
  const failed = [base, other].find(({ error }) => error !== undefined)
  if (failed) return <ErrorState error={failed.error} retry={failed.retry} />
  if (base.text === undefined || other.text === undefined) {
    return <LoadingRows columns="40px 1fr" rows={6} height={20} what={jsonText.reading} />
  }
  const isPart = !base.isWhole || !other.isWhole
  return (
    <>
      {isPart && (
        <Banner tone="info">{compareText.partOnly(formatBytes(Math.min(base.text.length, other.text.length)))}</Banner>
      )}
      <DiffView before={before} after={after} letter={letter} />
    </>
  )
}

/** A text as it reads, anything else as JSON with a member a line. */
function linesOf({ text = '' }: Payload): string {
  return text.startsWith('"') ? stringText(text, 0, text.length) : prettyJson(text)
}

const panelId = 'compare-value'

interface CallCompareProps {
  readonly projectId: string
  readonly sides: readonly Side[]
  readonly row: AlignedRow
  readonly path: 'inputs' | 'output'
  readonly onPath: (path: 'inputs' | 'output') => void
}

/** Inputs and outputs of the same call, one side against the baseline. */
export function CallCompare({ projectId, sides, row, path, onPath }: CallCompareProps) {
  const others = sides.map((_, side) => side).slice(1)
  const [chosen, choose] = useState(1)
  const other = Math.min(chosen, sides.length - 1)
  const first = row.rows.findIndex((each) => each >= 0)
  const { skeleton } = itemAt(sides, first)
  const firstRow = rowIn(row, first)
  const idOf = (side: number) => (rowIn(row, side) < 0 ? undefined : itemAt(sides, side).skeleton.id(rowIn(row, side)))
  const baseId = idOf(0)
  const otherId = idOf(other)
  return (
    <section class={css.panel} aria-label={compareText.value}>
      <header class={css.head}>
        <KindIcon kind={knownKind(kindOf(skeleton, firstRow))} hidden />
        <h2 class="cut">{nameOf(skeleton, firstRow)}</h2>
        <span class={css.links}>
          {sides.map((side, index) => {
            const id = idOf(index)
            return (
              id !== undefined && (
                <a
                  key={letters[index]}
                  class={css.link}
                  href={tracePath(projectId, side.skeleton.traceId, id)}
                  aria-label={compareText.openIn(letterOf(index))}
                  data-tip={compareText.openIn(letterOf(index))}
                >
                  {letters[index]}
                  <Icon of={ExternalLink} size={12} />
                </a>
              )
            )
          })}
        </span>
      </header>
      <div class={css.tabs}>
        <Tabs
          tabs={[
            { id: 'output', label: compareText.output },
            { id: 'inputs', label: compareText.inputs },
          ]}
          current={path}
          onSelect={onPath}
          label={compareText.value}
          panelId={panelId}
        />
        {others.length > 1 && (
          <Segments
            options={others.map((side) => ({ id: String(side), label: letters[side] }))}
            current={String(other)}
            onSelect={(side) => choose(Number(side))}
            label={compareText.against}
          />
        )}
      </div>
      <div id={panelId} role="tabpanel" aria-label={compareText.value} tabIndex={0} class={css.body}>
        {baseId === undefined || otherId === undefined ? (
          <p class={css.note}>{compareText.noCall(letterOf(baseId === undefined ? 0 : other))}</p>
        ) : (
          <>
            <p class={css.legend}>
              <span class={css.before}>
                <SideMark side={0} />
              </span>
              <span class={css.after}>
                <SideMark side={other} />
              </span>
            </p>
            <ValueDiff
              key={`${baseId} ${otherId} ${path}`}
              projectId={projectId}
              path={path}
              baseId={baseId}
              otherId={otherId}
              letter={letters[0]}
            />
          </>
        )}
      </div>
    </section>
  )
}
