import { Copy, History, Pencil, TextCursorInput, Trash2 } from 'lucide'
import { classNames } from '../../components/display/class-names.ts'
import { MenuButton } from '../../components/overlays/menu-button.tsx'
import type { SavedDashboard } from '../../dashboard/saved-dashboards.ts'
import { rangeWords } from '../../filter/time-range-picker.tsx'
import { opName } from '../../format/ids.ts'
import { wholeOpName } from '../../format/op-names.ts'
import { formatAgo, formatFullTime } from '../../format/time.ts'
import { dashboardPath, editedDashboardPath, objectPath, viewPath } from '../../state/paths.ts'
import { canWrite } from '../../state/session.ts'
import { showError } from '../../state/toasts.ts'
import { boardText } from '../../text/board.ts'
import { deleteBoard, duplicateBoard } from '../dashboards/board-menu.ts'
import css from './dashboard-list.module.css'

const words = boardText.list

/** The overview, which every project has. */
export const OverviewRow = ({ projectId }: { projectId: string }) => (
  <li class={css.row}>
    <a class={css.name} href={viewPath(projectId, 'dashboards')}>
      {words.overview}
    </a>
    <span class={classNames(css.grey, css.note)}>{words.overviewNote}</span>
  </li>
)

interface DashboardRowProps {
  readonly projectId: string
  readonly dashboard: SavedDashboard
  readonly onRename: () => void
}

/** A dashboard of the list, with what can be done with it. */
export function DashboardRow({ projectId, dashboard, onRename }: DashboardRowProps) {
  const { id, label, op, range, board, version } = dashboard
  const changes = canWrite.value
    ? [
        ...(board
          ? [
              { icon: Pencil, label: boardText.edit, href: editedDashboardPath(projectId, id) },
              { icon: TextCursorInput, label: boardText.rename, run: onRename },
              {
                icon: Copy,
                label: boardText.duplicate,
                run: () => void duplicateBoard(projectId, { ...dashboard, board }).catch(showError),
              },
            ]
          : []),
        {
          icon: Trash2,
          label: words.remove,
          danger: true,
          separator: true,
          run: () => void deleteBoard(projectId, id, label).catch(showError),
        },
      ]
    : []
  return (
    <li class={css.row}>
      <a class={css.name} href={dashboardPath(projectId, id, '')} dir="auto">
        {label}
      </a>
      <span class={css.grey} dir="auto">
        {board ? boardText.cards(board.cards.length) : `${words.oldKind}: ${wholeOpName(opName(op))}`}
        <span class={css.phone}>
          {' · '}
          {rangeWords(range)} · {formatAgo(version.created_at)}
        </span>
      </span>
      <span class={css.extra}>{rangeWords(range)}</span>
      <span class={css.when} data-tip={formatFullTime(version.created_at)}>
        v{version.version_index} · {formatAgo(version.created_at)}
      </span>
      <span class={css.menu}>
        <MenuButton
          label={words.menu(label)}
          side="end"
          kind="quiet"
          size="compact"
          items={[
            { icon: History, label: words.versions, href: `${objectPath(projectId, id)}?tab=versions` },
            ...changes,
          ]}
        />
      </span>
    </li>
  )
}
