import { PanelLeftClose, PanelLeftOpen } from 'lucide'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import { viewPath } from '../state/paths.ts'
import type { Place } from '../state/place.ts'
import { preferences } from '../state/preferences.ts'
import { roomForWords, toggleRail } from '../state/rail.ts'
import { serverPages } from '../state/server-pages.ts'
import { useMedia } from '../state/use-media.ts'
import { isCurrent, sections } from '../state/views.ts'
import { shellText } from '../text/shell.ts'
import css from './rail.module.css'

/** Navigation of a project: words, or icons alone. Icons keep their place. */
export function Rail({ projectId, view }: { projectId: string; view: Place['view'] }) {
  const hasRoom = useMedia(roomForWords)
  const isOpen = preferences.value.railOpen ?? hasRoom
  return (
    <nav class={classNames(css.rail, isOpen && css.open)} aria-label={shellText.navigation}>
      {sections.map((group) => (
        <ul key={group[0]?.view} class={css.group}>
          {group.map((section) => (
            <li key={section.view}>
              <RailLink
                href={viewPath(projectId, section.view)}
                icon={section.icon}
                name={section.title}
                keys={`g ${section.key}`}
                isCurrent={isCurrent(section, view)}
                isOpen={isOpen}
              />
            </li>
          ))}
        </ul>
      ))}
      <ul class={classNames(css.group, css.last)}>
        {serverPages().map((page) => (
          <li key={page.view}>
            <RailLink
              href={page.href}
              icon={page.icon}
              name={page.title}
              keys={`g ${page.key}`}
              isCurrent={view === page.view}
              isOpen={isOpen}
            />
          </li>
        ))}
        <li>
          <button
            type="button"
            class={css.link}
            aria-expanded={isOpen}
            aria-label={isOpen ? shellText.foldRail : shellText.unfoldRail}
            data-tip={isOpen ? shellText.foldRail : shellText.unfoldRail}
            onClick={toggleRail}
          >
            <Icon of={isOpen ? PanelLeftClose : PanelLeftOpen} />
          </button>
        </li>
      </ul>
    </nav>
  )
}

function RailLink({ href, icon, name, keys, isCurrent, isOpen }: RailLinkProps) {
  return (
    <a
      href={href}
      class={css.link}
      aria-current={isCurrent ? 'page' : undefined}
      aria-label={isOpen ? undefined : name}
      data-tip={isOpen ? undefined : name}
      data-tip-key={isOpen ? undefined : keys}
    >
      <Icon of={icon} />
      {isOpen && <span>{name}</span>}
    </a>
  )
}

interface RailLinkProps {
  readonly href: string
  readonly icon: Parameters<typeof Icon>[0]['of']
  readonly name: string
  readonly keys: string
  readonly isCurrent: boolean
  readonly isOpen: boolean
}
