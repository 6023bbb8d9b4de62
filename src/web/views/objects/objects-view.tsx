import { Box } from 'lucide'
import { classNames } from '../../components/display/class-names.ts'
import { FoundList, useListKeys } from '../../components/list/found-list.tsx'
import lists from '../../components/list/list.module.css'
import { Banner } from '../../components/states/banner.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatCount } from '../../format/number.ts'
import { formatAgo, formatFullTime } from '../../format/time.ts'
import { Page } from '../../page/page.tsx'
import { leaderboardPath, scorerPath } from '../../state/judging-paths.ts'
import { navigate } from '../../state/location.ts'
import { datasetPath, objectPath, promptPath } from '../../state/paths.ts'
import { useProject } from '../../state/project.ts'
import { useQuery } from '../../state/query-signal.ts'
import { number, text } from '../../state/search-text.ts'
import { urlState } from '../../state/url-state.ts'
import { objectText } from '../../text/object.ts'
import { isLeaving } from '../../versions/delete-object.ts'
import {
  authorOf,
  classOf,
  familiesQuery,
  familyVersionsMax,
  isDataset,
  isLeaderboard,
  isPrompt,
  isScorer,
  type ObjectFamily,
  type ObjectVersion,
} from '../../versions/objects.ts'
import { Tags } from '../../versions/tag.tsx'
import css from './objects-view.module.css'

const url = urlState({ find: text(), class: text(), at: number(0) })

/** Objects and ops of a project, the last changed first, by class. */
export default function ObjectsView() {
  const projectId = useProject()
  const { data, error, refetch } = useQuery(familiesQuery(projectId, 'all'))
  const { find, class: chosen, at } = url.values.value
  const all = (data ?? []).filter(({ latest }) => !isLeaving(projectId, latest))
  const classes = [...Map.groupBy(all, ({ latest }) => classOf(latest))].sort(([a], [b]) => (a < b ? -1 : 1))
  const shown = all.filter(
    ({ name, latest }) =>
      (chosen === '' || nameOfClass(classOf(latest)) === chosen) &&
      `${name} ${classOf(latest)}`.toLowerCase().includes(find.toLowerCase()),
  )
  const open = (family: ObjectFamily) => navigate(pathOf(projectId, family))
  const keys = useListKeys({
    shown,
    at,
    onAt: (next) => url.replace({ at: next }),
    open,
    words: {
      next: objectText.keys.next,
      previous: objectText.keys.previous,
      open: objectText.keys.openObject,
      find: objectText.find,
    },
  })
  return (
    <Page
      name={objectText.objects}
      title={objectText.objects}
      class={lists.body}
      foot={{
        facts: data && <span>{objectText.objectsCount(shown.length, all.length)}</span>,
        keys: [
          ['J K', objectText.keys.move],
          ['↵', objectText.keys.open],
          ['/', objectText.keys.find],
        ],
      }}
    >
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingRows columns="2fr 1fr 80px 1fr 90px" rows={14} height={40} what={objectText.readingList} />
      ) : all.length === 0 ? (
        <EmptyState icon={Box} title={objectText.none}>
          {objectText.noneReason}
        </EmptyState>
      ) : (
        <FoundList
          keys={keys}
          shown={shown}
          find={find}
          icon={Box}
          words={{ find: objectText.find, noneFound: objectText.noneFound(find), clear: objectText.clear }}
          onFind={(next) => url.replace({ find: next, at: 0 })}
          onClear={() => url.commit({ find: '', class: '' })}
          open={open}
          tools={
            <fieldset class={css.classes} aria-label={objectText.classLabel}>
              {[['', all] as const, ...classes.map(([name, each]) => [nameOfClass(name), each] as const)].map(
                ([name, families]) => (
                  <button
                    key={name}
                    type="button"
                    class={css.class}
                    aria-pressed={name === chosen}
                    onClick={() => url.commit({ class: name, at: 0 })}
                  >
                    {name || objectText.allClasses} <span>{families.length}</span>
                  </button>
                ),
              )}
            </fieldset>
          }
          notice={
            all.reduce((sum, { versions }) => sum + versions.length, 0) >= familyVersionsMax && (
              <Banner tone="info">{objectText.cut(formatCount(familyVersionsMax))}</Banner>
            )
          }
          head={<Head />}
          render={(family, index) => (
            <Row
              key={`${family.latest.kind} ${family.name}`}
              projectId={projectId}
              family={family}
              isCurrent={index + 1 === at}
            />
          )}
        />
      )}
    </Page>
  )
}

const nameOfClass = (name: string): string => name || objectText.plain

const pageOf = (version: ObjectVersion) =>
  isPrompt(version)
    ? promptPath
    : isDataset(version)
      ? datasetPath
      : isLeaderboard(version)
        ? leaderboardPath
        : isScorer(version)
          ? scorerPath
          : objectPath

const pathOf = (projectId: string, { name, latest }: ObjectFamily): string => pageOf(latest)(projectId, name)

const Head = () => (
  <div class={classNames(lists.row, css.row, lists.head)} aria-hidden>
    <span>{objectText.name}</span>
    <span>{objectText.class}</span>
    <span class={lists.number}>{objectText.versions}</span>
    <span>{objectText.marks}</span>
    <span>{objectText.user}</span>
    <span class={lists.number}>{objectText.changed}</span>
  </div>
)

function Row({ projectId, family, isCurrent }: { projectId: string; family: ObjectFamily; isCurrent: boolean }) {
  const { name, latest, versions } = family
  // An older version is the latest one if its content was stored again.
  const changedAt = versions[0]?.created_at ?? latest.created_at
  const marked = versions.filter(({ aliases, tags }) =>
    [...(aliases ?? []), ...(tags ?? [])].some((each) => each !== 'latest'),
  )
  return (
    <a class={classNames(lists.row, css.row, lists.link, isCurrent && lists.current)} href={pathOf(projectId, family)}>
      <span class={classNames(lists.name, css.name)} dir="auto">
        {name}
      </span>
      <span class={lists.grey}>{nameOfClass(classOf(latest))}</span>
      <span class={lists.number}>
        <span class="sr-only">{objectText.versions} </span>
        {versions.length}
      </span>
      <span class={css.marks}>
        {marked.slice(0, 2).map((version) => (
          <span key={version.digest} class={css.mark}>
            <Tags version={version} /> v{version.version_index}
          </span>
        ))}
      </span>
      <span class={classNames(lists.grey, css.author)}>{authorOf(latest)}</span>
      <span class={classNames(lists.number, lists.grey)} data-tip={formatFullTime(changedAt)}>
        {formatAgo(changedAt)}
      </span>
    </a>
  )
}
