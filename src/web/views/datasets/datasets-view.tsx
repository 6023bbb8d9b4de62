import { Plus, Table2, Upload } from 'lucide'
import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { Button } from '../../components/controls/button.tsx'
import { classNames } from '../../components/display/class-names.ts'
import { FoundList, useListKeys } from '../../components/list/found-list.tsx'
import lists from '../../components/list/list.module.css'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { createDataset, type DatasetFamily, datasetsQuery } from '../../dataset/datasets.ts'
import { NameDialog } from '../../dataset/name-dialog.tsx'
import { formatCount } from '../../format/number.ts'
import { formatAgo, formatFullTime } from '../../format/time.ts'
import { Page } from '../../page/page.tsx'
import { importPath } from '../../state/judging-paths.ts'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { datasetPath, viewPath } from '../../state/paths.ts'
import { useProject } from '../../state/project.ts'
import { useQuery } from '../../state/query-signal.ts'
import { number, text } from '../../state/search-text.ts'
import { canWrite } from '../../state/session.ts'
import { urlState } from '../../state/url-state.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { datasetText } from '../../text/dataset.ts'
import { isLeaving } from '../../versions/delete-object.ts'
import { authorOf, readObjectsAgain } from '../../versions/objects.ts'
import { Tags } from '../../versions/tag.tsx'
import { DatasetPage } from './dataset-page.tsx'
import css from './datasets-view.module.css'

/** Datasets of a project, or one of them. */
export default function DatasetsView() {
  const { params } = useRoute()
  const projectId = useProject()
  const name = params['dataset']
  return name === undefined ? (
    <DatasetList projectId={projectId} />
  ) : (
    <DatasetPage key={name} projectId={projectId} name={name} version={params['version']} />
  )
}

const url = urlState({ find: text(), at: number(0) })

function DatasetList({ projectId }: { projectId: string }) {
  const [isNaming, setNaming] = useState(false)
  const { data, error, refetch } = useQuery(datasetsQuery(projectId))
  const { find, at } = url.values.value
  const all = (data ?? []).filter(({ latest }) => !isLeaving(projectId, latest))
  const shown = all.filter((each) => `${each.name} ${each.description}`.toLowerCase().includes(find.toLowerCase()))
  const open = (family: DatasetFamily) => navigate(datasetPath(projectId, family.name))
  const keys = useListKeys({
    shown,
    at,
    onAt: (next) => url.replace({ at: next }),
    open,
    words: {
      next: datasetText.keys.next,
      previous: datasetText.keys.previous,
      open: datasetText.keys.open,
      find: datasetText.find,
    },
  })
  useKeys(canWrite.value ? [{ keys: 'n', does: datasetText.newDataset, run: () => setNaming(true) }] : [])
  const makeButton = (
    <Button kind="primary" icon={Plus} hint="N" onClick={() => setNaming(true)}>
      {datasetText.newDataset}
    </Button>
  )
  const importButton = (
    <Button icon={Upload} onClick={() => navigate(importPath(projectId))}>
      {datasetText.importNew}
    </Button>
  )
  const fromCalls = <a href={viewPath(projectId, 'calls')}>{datasetText.fromCalls}</a>
  return (
    <Page
      name={datasetText.title}
      title={datasetText.title}
      class={lists.body}
      actions={
        canWrite.value &&
        all.length > 0 && (
          <>
            {importButton}
            {makeButton}
          </>
        )
      }
      foot={{
        facts: data && <span>{datasetText.datasetsCount(shown.length, all.length)}</span>,
        keys: [
          ['J K', datasetText.keys.moveShort],
          ['↵', datasetText.keys.openShort],
          ['/', datasetText.keys.findShort],
          ...(canWrite.value ? [['N', datasetText.keys.makeShort] as const] : []),
        ],
      }}
    >
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingRows
          columns="2fr 80px 90px 1fr 120px 140px 96px"
          rows={14}
          height={40}
          what={datasetText.readingList}
        />
      ) : all.length === 0 ? (
        <EmptyState
          icon={Table2}
          title={datasetText.none}
          action={
            canWrite.value && (
              <>
                {makeButton}
                {importButton}
                {fromCalls}
              </>
            )
          }
        >
          {datasetText.noneReason} {!canWrite.value && datasetText.noneReasonRead}
        </EmptyState>
      ) : (
        <FoundList
          keys={keys}
          shown={shown}
          find={find}
          icon={Table2}
          words={{ find: datasetText.find, noneFound: datasetText.noneFound(find), clear: datasetText.clear }}
          onFind={(next) => url.replace({ find: next, at: 0 })}
          onClear={() => url.commit({ find: '' })}
          open={open}
          head={<Head />}
          render={(family, index) => (
            <ListRow key={family.name} projectId={projectId} family={family} isCurrent={index + 1 === at} />
          )}
        />
      )}
      {isNaming && (
        <NameDialog
          title={datasetText.newDataset}
          label={datasetText.name}
          hint={datasetText.nameHint}
          verb={datasetText.create}
          faultOf={(typed) =>
            !/^[\p{L}\p{N}_.-]{1,128}$/u.test(typed)
              ? datasetText.nameBad
              : all.some((each) => each.name === typed)
                ? datasetText.nameTaken(typed)
                : undefined
          }
          onDone={async (typed) => {
            await createDataset(projectId, typed)
            await readObjectsAgain(projectId)
            setNaming(false)
            navigate(datasetPath(projectId, typed))
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </Page>
  )
}

const Head = () => (
  <div class={classNames(lists.row, css.row, lists.head)} aria-hidden>
    <span>{datasetText.name}</span>
    <span class={lists.number}>{datasetText.versions}</span>
    <span class={lists.number}>{datasetText.rowsHead}</span>
    <span>{datasetText.marks}</span>
    <span class={css.extra}>{datasetText.usedBy}</span>
    <span class={css.extra}>{datasetText.author}</span>
    <span class={lists.number}>{datasetText.changed}</span>
  </div>
)

function ListRow({ projectId, family, isCurrent }: { projectId: string; family: DatasetFamily; isCurrent: boolean }) {
  const { name, latest, versions, rowCount, description, evaluations } = family
  const isPhone = useIsPhone()
  return (
    <a
      class={classNames(lists.row, css.row, lists.link, isCurrent && lists.current)}
      href={datasetPath(projectId, name)}
    >
      <span class={classNames(lists.name, css.name)}>
        <span dir="auto">{name}</span>
        {description !== '' && <small dir="auto">{description}</small>}
      </span>
      <span class={classNames(lists.number, css.versions)}>
        {!isPhone && <span class="sr-only">{datasetText.versions} </span>}
        {isPhone ? datasetText.versionsCount(versions) : versions}
      </span>
      <span class={classNames(lists.number, css.count)}>
        {!isPhone && <span class="sr-only">{datasetText.rowsHead} </span>}
        {rowCount === undefined ? '–' : isPhone ? datasetText.versionRows(rowCount) : formatCount(rowCount)}
      </span>
      <span class={css.marks}>
        <Tags version={latest} />
      </span>
      <span class={classNames(lists.grey, css.extra)}>{datasetText.evaluations(evaluations)}</span>
      <span class={classNames(lists.grey, css.extra)}>{authorOf(latest)}</span>
      <span class={classNames(lists.number, lists.grey, css.when)} data-tip={formatFullTime(latest.created_at)}>
        {formatAgo(latest.created_at)}
      </span>
    </a>
  )
}
