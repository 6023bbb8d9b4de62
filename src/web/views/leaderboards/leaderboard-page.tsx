import { Box, Copy, Download, FlaskConical, Pencil, Star, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { Problem } from '../../api/client.ts'
import { Button } from '../../components/controls/button.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { MenuButton } from '../../components/overlays/menu-button.tsx'
import { Banner } from '../../components/states/banner.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { lazyPart } from '../../components/states/lazy-part.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { exportLeaderboard } from '../../leaderboard/export.ts'
import { Figures } from '../../leaderboard/figures.tsx'
import { figureName, type Leaderboard, leaderboardQuery, sortedRows } from '../../leaderboard/leaderboards.ts'
import { Page } from '../../page/page.tsx'
import { comparisonPath, leaderboardPath } from '../../state/judging-paths.ts'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { objectPath } from '../../state/paths.ts'
import { queries, useQuery } from '../../state/query-signal.ts'
import { flag, list, text } from '../../state/search-text.ts'
import { canWrite } from '../../state/session.ts'
import { linkToShare } from '../../state/shared-address.ts'
import { showError, showToast } from '../../state/toasts.ts'
import { urlState } from '../../state/url-state.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { leaderboardText as words } from '../../text/evaluation/leaderboard.ts'
import { partsText } from '../../text/parts.ts'
import { deleteObjectLater } from '../../versions/delete-object.ts'
import { versionsQuery } from '../../versions/objects.ts'
import css from './leaderboard-page.module.css'

const LeaderboardDialog = lazyPart(() => import('../../leaderboard/leaderboard-dialog.tsx'), { loading: () => null })

const url = urlState({ sort: text('0'), reverse: flag(), edit: flag() })
/** Runs that a comparison takes. */
const comparedMax = 20

interface LeaderboardPageProps {
  readonly projectId: string
  readonly name: string
  readonly version: string | undefined
}

/** A leaderboard: the figures of models, ranked. */
export function LeaderboardPage({ projectId, name, version }: LeaderboardPageProps) {
  const { data, error, refetch } = useQuery(leaderboardQuery(projectId, name, version))
  const back = { href: leaderboardPath(projectId), label: words.every }
  if (data) return <Known projectId={projectId} id={name} board={data} back={back} />
  return (
    <Page name={name} title={<span dir="auto">{name}</span>} back={back}>
      {data === null || (error instanceof Problem && error.status === 404) ? (
        <EmptyState icon={Star} title={words.missing} action={<a href={back.href}>{words.every}</a>}>
          {words.missingReason}
        </EmptyState>
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingRows columns="40px 2fr 1fr 1fr" rows={10} height={48} what={words.readingFigures} />
      )}
    </Page>
  )
}

interface KnownProps {
  readonly projectId: string
  readonly id: string
  readonly board: Leaderboard
  readonly back: { readonly href: string; readonly label: string }
}

function Known({ projectId, id, board, back }: KnownProps) {
  const isPhone = useIsPhone()
  const [isDeleting, setDeleting] = useState(false)
  const { sort, reverse, edit } = url.values.value
  const by = sort === 'model' ? 'model' : board.columns[Number(sort)] === undefined ? 0 : Number(sort)
  const name = board.name ?? id
  const { object, columns, rows, description } = board
  const isNewest = object?.is_latest !== false
  const column = by === 'model' ? columns[0] : columns[by]
  const runs = runsOf(board, by, reverse)
  const sortBy = (next: number | 'model') => url.commit({ sort: String(next), reverse: next === by && !reverse })
  const openEdit = () => canWrite.value && isNewest && url.commit({ edit: true })
  const remove = async () => {
    setDeleting(true)
    try {
      const versions = await queries.fetchQuery(versionsQuery(projectId, id))
      navigate(back.href)
      deleteObjectLater(projectId, id, versions, { text: words.deleted(name) })
    } catch (error) {
      setDeleting(false)
      showError(error)
    }
  }
  const copyLink = () => {
    const copied = () => showToast({ kind: 'done', text: partsText.copied })
    navigator.clipboard.writeText(linkToShare()).then(copied, showError)
  }
  useKeys(canWrite.value && isNewest ? [{ keys: 'e', does: words.dialog.edit, run: openEdit }] : [])
  const compare = () => navigate(comparisonPath(projectId, `?${new URLSearchParams({ runs: list().write(runs) })}`))
  return (
    <Page
      name={name}
      title={
        <>
          <bdi class="cut">{name}</bdi>
          {object && <Badge tone="outline">{words.version(object.version_index)}</Badge>}
        </>
      }
      back={back}
      class={css.body}
      actions={
        <>
          {!isPhone && column && (
            <Button
              kind="quiet"
              icon={FlaskConical}
              disabled={runs.length < 2}
              data-tip={words.compareTip(figureName(column))}
              onClick={compare}
            >
              {words.compare}
            </Button>
          )}
          {!isPhone && (
            <Button
              icon={Download}
              disabled={rows.length === 0}
              onClick={() => exportLeaderboard(board, id, by, reverse)}
            >
              {words.exportCsv}
            </Button>
          )}
          {canWrite.value && isNewest && (
            <Button icon={Pencil} hint={isPhone ? undefined : 'E'} onClick={openEdit}>
              {words.edit}
            </Button>
          )}
          <MenuButton
            label={words.actions}
            side="end"
            items={[
              ...(isPhone
                ? [
                    { icon: FlaskConical, label: words.compare, disabled: runs.length < 2, run: compare },
                    {
                      icon: Download,
                      label: words.exportCsv,
                      disabled: rows.length === 0,
                      run: () => exportLeaderboard(board, id, by, reverse),
                    },
                  ]
                : []),
              { icon: Copy, label: words.copyLink, run: copyLink },
              { icon: Box, label: words.versions, href: `${objectPath(projectId, id)}?tab=versions` },
              ...(canWrite.value
                ? [
                    {
                      icon: Trash2,
                      label: words.delete,
                      danger: true,
                      separator: true,
                      disabled: isDeleting,
                      run: () => void remove(),
                    },
                  ]
                : []),
            ]}
          />
        </>
      }
      foot={{
        facts: (
          <span>
            {words.models(rows.length)}, {words.figures(rows.flatMap(({ cells }) => cells.filter(Boolean)).length)}
          </span>
        ),
        keys: canWrite.value && isNewest ? [['E', words.keys.edit]] : [],
      }}
    >
      {object && !isNewest && (
        <Banner tone="info" action={<a href={leaderboardPath(projectId, id)}>{words.newest}</a>}>
          {words.older(object.version_index)}
        </Banner>
      )}
      {board.is_cut && <Banner tone="info">{words.cut}</Banner>}
      {mixedVersions(columns).map((sentence) => (
        <Banner key={sentence}>{sentence}</Banner>
      ))}
      {description !== null && (
        <p class={css.description} dir="auto">
          {description}
        </p>
      )}
      {rows.length === 0 ? (
        <EmptyState icon={Star} title={columns.length === 0 ? words.noColumns : words.noRows}>
          {columns.length > 0 && words.noRowsReason}
        </EmptyState>
      ) : (
        <Figures projectId={projectId} board={board} by={by} isReversed={reverse} onSort={sortBy} />
      )}
      {edit && canWrite.value && isNewest && (
        <LeaderboardDialog projectId={projectId} board={board} onClose={() => url.commit({ edit: false })} />
      )}
    </Page>
  )
}

/** The runs of the figures of a column, the best first. */
function runsOf(board: Leaderboard, by: number | 'model', isReversed: boolean): string[] {
  const index = by === 'model' ? 0 : by
  const runs = sortedRows(board, index, isReversed).flatMap(({ cells }) => cells[index]?.evaluation_call_id ?? [])
  return [...new Set(runs)].slice(0, comparedMax)
}

/** What columns mix, in words: those that mix the same are named together. */
function mixedVersions(columns: Leaderboard['columns']): string[] {
  const found = columns.flatMap((column) =>
    column.differing_versions.map(({ kind, name, versions }) => {
      const each = versions.map((of) => words.mixedVersion(of.version_index, of.evaluation_call_ids.length))
      return { kind, name, column: figureName(column), versions: each.join(', ') }
    }),
  )
  return [...Map.groupBy(found, ({ kind, name, versions }) => `${kind} ${name} ${versions}`).values()].flatMap(
    ([first, ...others]) =>
      first === undefined
        ? []
        : [
            words.mixed(
              [first, ...others].map(({ column }) => column).join(', '),
              first.kind,
              first.name,
              first.versions,
            ),
          ],
  )
}
