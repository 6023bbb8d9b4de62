import { Diff } from 'lucide'
import { Button } from '../components/controls/button.tsx'
import { Badge } from '../components/display/badge.tsx'
import { classNames } from '../components/display/class-names.ts'
import { StatusIcon } from '../components/display/status-icon.tsx'
import type { MenuItem } from '../components/overlays/menu.tsx'
import { formatShort } from '../format/number.ts'
import { datasetText } from '../text/dataset.ts'
import type { ObjectVersion, VersionUse } from '../versions/objects.ts'
import { SaveBar } from '../versions/save-bar.tsx'
import { VersionList } from '../versions/version-list.tsx'
import layout from '../versions/version-page.module.css'
import css from './dataset-side.module.css'
import type { DatasetVersion } from './datasets.ts'
import { type Change, countEdits, type Edits } from './edits.ts'

/** How many rows came, changed and went; a part that is zero is left out. */
const DiffBadge = ({ added, edited, deleted }: ReturnType<typeof countEdits>) => (
  <span class={css.diff} data-tip={datasetText.summary(added, edited, deleted)}>
    {added > 0 && <span class={css.in}>+{shortCount(added)}</span>}
    {edited > 0 && <span class={css.both}>~{shortCount(edited)}</span>}
    {deleted > 0 && <span class={css.out}>−{shortCount(deleted)}</span>}
  </span>
)

const shortCount = (count: number): string => (count > 9_999 ? formatShort(count) : String(count))

const changesShown = 200
const signs = { added: '+', edited: '~', deleted: '−' } as const
const tones = { added: css.in, edited: css.both, deleted: css.out } as const

interface DatasetSideProps {
  readonly projectId: string
  readonly versions: readonly ObjectVersion[]
  readonly current: ObjectVersion | undefined
  readonly uses: ReadonlyMap<string, VersionUse> | undefined
  readonly tables: ReadonlyMap<string, DatasetVersion> | undefined
  readonly edits: Edits
  readonly changes: readonly Change[]
  readonly nextIndex: number
  /** The version that the changes start from. */
  readonly started: ObjectVersion | undefined
  readonly only: 'versions' | 'changes' | undefined
  readonly hrefOf: (version: ObjectVersion) => string
  readonly menuOf: (version: ObjectVersion) => readonly MenuItem[]
  readonly onCompare: (() => void) | undefined
  readonly onGo: (change: Change) => void
}

/** Versions of a dataset, the unsaved one first, and the list of its changes. */
export function DatasetSide(props: DatasetSideProps) {
  const { projectId, versions, current, uses, tables, edits, changes, nextIndex, started, only } = props
  return (
    <aside class={only ? layout.alone : classNames(layout.side, css.side)} id={only && 'dataset-panel'}>
      {only !== 'changes' && (
        <>
          <h2 class={classNames(layout.head, css.head)}>
            {datasetText.versions} <span class={layout.count}>{versions.length}</span>
            {props.onCompare && (
              <Button kind="quiet" size="compact" icon={Diff} onClick={props.onCompare}>
                {datasetText.compare}
              </Button>
            )}
          </h2>
          {changes.length > 0 && started && (
            <div class={css.unsaved}>
              <span>
                <strong>v{nextIndex}</strong>
                <Badge tone="warn">{datasetText.notSaved}</Badge>
                <DiffBadge {...countEdits(edits)} />
              </span>
              <small>{datasetText.draftNote(started.version_index)}</small>
            </div>
          )}
          <nav aria-label={datasetText.versions}>
            <VersionList
              projectId={projectId}
              versions={versions}
              current={changes.length > 0 ? undefined : current}
              uses={uses}
              hrefOf={props.hrefOf}
              menuOf={props.menuOf}
              noteOf={({ digest }) => {
                const count = tables?.get(digest)?.rowCount
                return count === undefined ? '' : datasetText.versionRows(count)
              }}
            />
          </nav>
        </>
      )}
      {only !== 'versions' && changes.length > 0 && (
        <section aria-label={datasetText.changes}>
          <h2 class={classNames(layout.head, css.head)}>
            {datasetText.changes} <span class={layout.count}>{changes.length}</span>
          </h2>
          {changes.slice(0, changesShown).map((change) => (
            <button key={change.id} type="button" class={css.change} onClick={() => props.onGo(change)}>
              <span class={classNames(css.sign, tones[change.kind])}>{signs[change.kind]}</span>
              <span class={css.place}>{placeWords(change)}</span>
              <span class={classNames('cut', change.fault && css.fault)}>
                {change.fault
                  ? `${change.fault.column}: ${change.fault.reason}`
                  : change.kind === 'edited'
                    ? change.columns.join(', ')
                    : datasetText.changeKinds[change.kind]}
              </span>
            </button>
          ))}
          {changes.length > changesShown && (
            <p class={css.more}>{datasetText.moreChanges(changes.length - changesShown)}</p>
          )}
        </section>
      )}
    </aside>
  )
}

const placeWords = ({ id }: Change): string => (id < 0 ? datasetText.newRow : datasetText.rowNumber(id))

interface DatasetSaveBarProps {
  readonly edits: Edits
  readonly changes: readonly Change[]
  readonly fault: Change | undefined
  readonly started: ObjectVersion | undefined
  readonly nextIndex: number
  readonly busy: boolean
  readonly canSave: boolean
  readonly isKept: boolean
  readonly onGo: (change: Change) => void
  readonly onSave: () => void
  readonly onDiscard: () => void
}

/** What is not saved, what stands in its way, and the way to save it. */
export function DatasetSaveBar(props: DatasetSaveBarProps) {
  const { edits, changes, fault, started, nextIndex, busy, canSave, isKept, onGo, onSave, onDiscard } = props
  const { added, edited, deleted } = countEdits(edits)
  return (
    <SaveBar
      label={datasetText.unsavedChanges}
      state={datasetText.changesCount(changes.length, started?.version_index ?? 0)}
      changes={
        <span class={css.summary}>
          {changes.length === 0 ? datasetText.noValuesYet : datasetText.summary(added, edited, deleted)}
          {!isKept && ` · ${datasetText.notKept}`}
        </span>
      }
      fault={
        fault?.fault && (
          <span class={css.wrong}>
            <StatusIcon status="error" hidden />
            <span class="cut">{datasetText.rowFault(placeWords(fault), fault.fault.column, fault.fault.reason)}</span>
            <Button size="compact" onClick={() => onGo(fault)}>
              {datasetText.goToIt}
            </Button>
          </span>
        )
      }
      discard={datasetText.discard}
      save={datasetText.save(nextIndex)}
      busy={busy}
      canSave={canSave}
      onDiscard={onDiscard}
      onSave={onSave}
    />
  )
}
