import { BookOpen, FolderOpen, SlidersHorizontal } from 'lucide'
import { guidePath } from '../base.ts'
import type { MenuItem } from '../components/overlays/menu.tsx'
import { homePath, settingsPath, viewPath } from '../state/paths.ts'
import type { Place } from '../state/place.ts'
import { sections } from '../state/sections.ts'
import { shellText } from '../text/shell.ts'
import { themeItems } from './theme-items.ts'

/** The rail and the right end of the top bar, as one menu. */
export const phoneMenu = ({ projectId, view }: Place): MenuItem[] => [
  ...(projectId === undefined ? [] : sections.flat()).map(
    ({ view: name, icon, holds }): MenuItem => ({
      icon,
      label: shellText.views[name],
      href: viewPath(projectId ?? '', name),
      checked: holds.includes(view),
    }),
  ),
  { icon: FolderOpen, label: shellText.allProjects, href: homePath, separator: projectId !== undefined },
  { icon: SlidersHorizontal, label: shellText.settings, href: settingsPath('') },
  { icon: BookOpen, label: shellText.guide, href: guidePath },
  ...themeItems().map((item, index): MenuItem => (index === 0 ? { ...item, separator: true } : item)),
]
