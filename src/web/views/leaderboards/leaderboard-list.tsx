import { Plus, Star } from 'lucide'
import { Button } from '../../components/controls/button.tsx'
import { classNames } from '../../components/display/class-names.ts'
import { FoundList, useListKeys } from '../../components/list/found-list.tsx'
import lists from '../../components/list/list.module.css'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { lazyPart } from '../../components/states/lazy-part.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatAgo, formatFullTime } from '../../format/time.ts'
import { figureName, type ListedLeaderboard, leaderboardsQuery } from '../../leaderboard/leaderboards.ts'
import { Page } from '../../page/page.tsx'
import { evaluationsPath, leaderboardPath } from '../../state/judging-paths.ts'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { useQuery } from '../../state/query-signal.ts'
import { flag, number, text } from '../../state/search-text.ts'
import { canWrite } from '../../state/session.ts'
import { urlState } from '../../state/url-state.ts'
import { leaderboardText as words } from '../../text/evaluation/leaderboard.ts'
import { isLeaving } from '../../versions/delete-object.ts'
import css from './leaderboard-list.module.css'

const LeaderboardDialog = lazyPart(() => import('../../leaderboard/leaderboard-dialog.tsx'), { loading: () => null })

const url = urlState({ find: text(), at: number(0), new: flag(), evaluation: text() })

/** Leaderboards of a project. */
export function LeaderboardList({ projectId }: { projectId: string }) {
  const { data, error, refetch } = useQuery(leaderboardsQuery(projectId))
  const { find, at, new: isMaking, evaluation } = url.values.value
  const all = (data ?? []).filter(
    ({ id, createdAt }) => !isLeaving(projectId, { object_id: id, created_at: createdAt }),
  )
  const shown = all.filter((each) =>
    `${each.name} ${each.id} ${each.description}`.toLowerCase().includes(find.toLowerCase()),
  )
  const open = (board: ListedLeaderboard) => navigate(leaderboardPath(projectId, board.id))
  const make = () => canWrite.value && url.commit({ new: true })
  useKeys(canWrite.value ? [{ keys: 'n', does: words.make, run: make }] : [])
  const keys = useListKeys({
    shown,
    at,
    onAt: (next) => url.replace({ at: next }),
    open,
    words: { next: words.keys.next, previous: words.keys.previous, open: words.keys.open, find: words.find },
  })
  const makeButton = canWrite.value && (
    <Button kind="primary" icon={Plus} hint="N" onClick={make}>
      {words.make}
    </Button>
  )
  return (
    <Page
      name={words.title}
      title={words.title}
      back={{ href: evaluationsPath(projectId), label: words.toRuns }}
      class={lists.body}
      actions={all.length > 0 && makeButton}
      foot={{
        facts: data && <span>{words.facts(shown.length, all.length)}</span>,
        keys: [
          ['J K', words.keys.moveShort],
          ['↵', words.keys.openShort],
          ['/', words.keys.findShort],
          ...(canWrite.value ? [['N', words.keys.make] as const] : []),
        ],
      }}
    >
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingRows columns="2fr 2fr 1fr 96px" rows={14} height={40} what={words.reading} />
      ) : all.length === 0 ? (
        <EmptyState icon={Star} title={words.none} action={makeButton}>
          {words.noneReason} {!canWrite.value && words.noneReasonRead}
        </EmptyState>
      ) : (
        <FoundList
          keys={keys}
          shown={shown}
          find={find}
          icon={Star}
          words={{ find: words.find, noneFound: words.noneFound(find), clear: words.clear }}
          onFind={(next) => url.replace({ find: next, at: 0 })}
          onClear={() => url.commit({ find: '' })}
          open={open}
          head={<Head />}
          render={(board, index) => (
            <Row key={board.id} projectId={projectId} board={board} isCurrent={index + 1 === at} />
          )}
        />
      )}
      {isMaking && canWrite.value && (
        <LeaderboardDialog
          projectId={projectId}
          evaluation={evaluation === '' ? undefined : evaluation}
          onClose={() => url.commit({ new: false, evaluation: '' })}
        />
      )}
    </Page>
  )
}

const Head = () => (
  <div class={classNames(lists.row, css.row, lists.head)} aria-hidden>
    <span>{words.name}</span>
    <span>{words.columns}</span>
    <span class={css.extra}>{words.evaluations}</span>
    <span class={lists.number}>{words.changed}</span>
  </div>
)

function Row({ projectId, board, isCurrent }: { projectId: string; board: ListedLeaderboard; isCurrent: boolean }) {
  const { id, name, description, columns, createdAt } = board
  const evaluations = new Set(
    columns.map(({ evaluation_object_ref: ref }) => ref.split('/').at(-1)?.split(':')[0] ?? ''),
  )
  return (
    <a
      class={classNames(lists.row, css.row, lists.link, isCurrent && lists.current)}
      href={leaderboardPath(projectId, id)}
    >
      <span class={lists.name}>
        <span dir="auto">{name}</span>
        {description !== '' && <small dir="auto">{description}</small>}
      </span>
      <span class={classNames(lists.grey, css.columns)} dir="auto">
        {columns.map(figureName).join(', ')}
      </span>
      <span class={classNames(lists.grey, css.extra)} dir="auto">
        {[...evaluations].map(decodeURIComponent).join(', ')}
      </span>
      <span class={classNames(lists.number, lists.grey, css.when)} data-tip={formatFullTime(createdAt)}>
        {formatAgo(createdAt)}
      </span>
    </a>
  )
}
