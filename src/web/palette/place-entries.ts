import {
  BookOpen,
  Copy,
  FolderOpen,
  LogOut,
  Monitor,
  Moon,
  PanelLeft,
  SlidersHorizontal,
  SquareTerminal,
  Star,
  Sun,
} from 'lucide'
import type { ProjectSummary } from '../api/projects.ts'
import { guidePath } from '../base.ts'
import { formatAgo } from '../format/time.ts'
import { navigate } from '../state/location.ts'
import { homePath, settingsPath, sqlPath, viewPath } from '../state/paths.ts'
import { prefer } from '../state/preferences.ts'
import { toggleRail } from '../state/rail.ts'
import { isOperator, session, signOut } from '../state/session.ts'
import { settingsSections } from '../state/settings-sections.ts'
import { linkToShare } from '../state/shared-address.ts'
import { showError, showToast } from '../state/toasts.ts'
import { foundViews, sections } from '../state/views.ts'
import { paletteText } from '../text/palette.ts'
import { shellText } from '../text/shell.ts'
import type { PaletteEntry } from './entry.ts'

/** The views of a project and the pages that belong to none. */
export const viewEntries = (projectId: string | undefined): PaletteEntry[] => [
  ...(projectId === undefined ? [] : sections.flat()).map(
    ({ view, title, icon, key }): PaletteEntry => ({
      id: `view ${view}`,
      group: paletteText.views,
      label: title,
      detail: `g ${key}`,
      icon,
      run: () => navigate(viewPath(projectId ?? '', view)),
    }),
  ),
  ...(projectId === undefined ? [] : foundViews).map(
    ({ view, title }): PaletteEntry => ({
      id: `view ${view}`,
      group: paletteText.views,
      label: title,
      icon: Star,
      run: () => navigate(viewPath(projectId ?? '', view)),
    }),
  ),
  {
    id: 'view home',
    group: paletteText.views,
    label: shellText.allProjects,
    icon: FolderOpen,
    run: () => navigate(homePath),
  },
  ...(isOperator.value
    ? [
        {
          id: 'view sql',
          group: paletteText.views,
          label: shellText.sql,
          detail: 'g c',
          icon: SquareTerminal,
          run: () => navigate(sqlPath()),
        },
      ]
    : []),
  ...settingsSections(session.value?.role).map(
    ({ id, name }): PaletteEntry => ({
      id: `settings ${id}`,
      group: paletteText.settings,
      label: name,
      words: shellText.settings,
      icon: SlidersHorizontal,
      run: () => navigate(settingsPath(id)),
    }),
  ),
]

/** Projects, opened at the view that is open now. */
export const projectEntries = (projects: readonly ProjectSummary[]): PaletteEntry[] =>
  projects.map(({ project_id, last_call_at }) => ({
    id: `project ${project_id}`,
    group: paletteText.projects,
    label: project_id,
    detail: last_call_at === null ? undefined : formatAgo(last_call_at),
    icon: FolderOpen,
    run: () => navigate(viewPath(project_id, 'traces')),
  }))

/** Things that can be done anywhere. */
export const actionEntries = (): PaletteEntry[] => [
  action('light', paletteText.lightTheme, Sun, () => prefer({ theme: 'light' }), shellText.theme),
  action('dark', paletteText.darkTheme, Moon, () => prefer({ theme: 'dark' }), shellText.theme),
  action('system', paletteText.systemTheme, Monitor, () => prefer({ theme: 'system' }), shellText.theme),
  action('rail', paletteText.foldRail, PanelLeft, toggleRail),
  action('link', paletteText.copyLink, Copy, () => {
    navigator.clipboard
      .writeText(linkToShare())
      .then(() => showToast({ kind: 'done', text: paletteText.linkCopied }))
      .catch(showError)
  }),
  action('guide', paletteText.openGuide, BookOpen, () => location.assign(guidePath), paletteText.guideWords),
  action('sign-out', shellText.signOut, LogOut, () => {
    signOut().catch(showError)
  }),
]

const action = (
  id: string,
  label: string,
  icon: PaletteEntry['icon'],
  run: () => void,
  words?: string,
): PaletteEntry => ({ id: `action ${id}`, group: paletteText.actions, label, words, icon, run })
