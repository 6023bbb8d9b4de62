import { BookOpen, ChevronsUpDown, CircleQuestionMark, FolderOpen, Menu as MenuIcon, Search } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { guidePath } from '../base.ts'
import { IconButton } from '../components/controls/button.tsx'
import { KeyHint } from '../components/controls/key-hint.tsx'
import { Icon } from '../components/display/icon.tsx'
import { Logo } from '../components/display/logo.tsx'
import { Menu, type MenuItem } from '../components/overlays/menu.tsx'
import { zoneName } from '../format/time.ts'
import { ThemeMenu, themeItems } from '../page/theme-menu.tsx'
import { keysShown, palette } from '../state/palette.ts'
import { homePath, settingsPath, viewPath } from '../state/paths.ts'
import type { Place } from '../state/place.ts'
import { serverPages } from '../state/server-pages.ts'
import { useIsPhone } from '../state/use-media.ts'
import { isCurrent, sections } from '../state/views.ts'
import { shellText } from '../text/shell.ts'
import css from './top-bar.module.css'

/** The rail and the right end of the top bar, as one menu. */
const phoneMenu = ({ projectId, view }: Place): MenuItem[] => [
  ...(projectId === undefined ? [] : sections.flat()).map(
    (section): MenuItem => ({
      icon: section.icon,
      label: section.title,
      href: viewPath(projectId ?? '', section.view),
      checked: isCurrent(section, view),
    }),
  ),
  { icon: FolderOpen, label: shellText.allProjects, href: homePath, separator: projectId !== undefined },
  ...serverPages().map(({ icon, title, href }) => ({ icon, label: title, href })),
  { icon: BookOpen, label: shellText.guide, href: guidePath },
  ...themeItems().map((item, index): MenuItem => (index === 0 ? { ...item, separator: true } : item)),
]

/** Where we are, search, and what concerns the person. */
export function TopBar({ place }: { place: Place }) {
  const isPhone = useIsPhone()
  return (
    <header class={css.bar}>
      <a class={css.logo} href={homePath} aria-label={shellText.goHome} data-tip={shellText.goHome}>
        <Logo />
      </a>
      {place.projectId !== undefined && <ProjectButton projectId={place.projectId} />}
      <div class={css.end}>
        {isPhone ? (
          <>
            <IconButton of={Search} label={shellText.searchShort} onClick={openPalette} />
            <PhoneMenu place={place} />
          </>
        ) : (
          <>
            <SearchButton />
            <a class={css.zone} href={guidePath}>
              {shellText.guide}
            </a>
            <a class={css.zone} href={settingsPath('appearance')} data-tip={shellText.timeZone}>
              {zoneName()}
            </a>
            <ThemeMenu />
            <IconButton
              of={CircleQuestionMark}
              label={shellText.help}
              hint="?"
              onClick={() => {
                keysShown.value = true
              }}
            />
          </>
        )}
      </div>
    </header>
  )
}

const openPalette = (): void => {
  palette.value = 'everything'
}

const SearchButton = () => (
  <button type="button" class={css.search} aria-haspopup="dialog" onClick={openPalette}>
    <Icon of={Search} />
    <span>{shellText.search}</span>
    <KeyHint keys="⌘K" />
  </button>
)

function ProjectButton({ projectId }: { projectId: string }) {
  const at = projectId.indexOf('/')
  return (
    <button
      type="button"
      class={css.place}
      aria-haspopup="dialog"
      aria-label={`${projectId}: ${shellText.changeProject}`}
      data-tip={shellText.changeProject}
      onClick={() => {
        palette.value = 'projects'
      }}
    >
      <span class={css.entity}>{projectId.slice(0, at)}</span>
      <span class={css.slash}>/</span>
      <span class={css.project}>{projectId.slice(at + 1)}</span>
      <Icon of={ChevronsUpDown} size={14} />
    </button>
  )
}

function PhoneMenu({ place }: { place: Place }) {
  const [open, setOpen] = useState(false)
  const anchor = useRef<HTMLButtonElement>(null)
  return (
    <>
      <IconButton
        of={MenuIcon}
        label={shellText.menu}
        buttonRef={anchor}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
      <Menu
        open={open}
        onClose={() => setOpen(false)}
        anchor={anchor}
        items={phoneMenu(place)}
        label={shellText.menu}
        side="end"
      />
    </>
  )
}
