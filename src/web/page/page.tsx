import { ChevronLeft } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { KeyHint } from '../components/controls/key-hint.tsx'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import { shellText } from '../text/shell.ts'
import css from './page.module.css'

/** Head, body and foot of a view. */
export function Page({ name, title, back, tabs, actions, foot, children, class: className }: PageProps) {
  useEffect(() => {
    document.title = `${name} · tracelake`
  }, [name])
  return (
    <div class={css.page}>
      {title !== undefined && (
        <header class={css.head}>
          {back && (
            <a class={css.back} href={back.href} aria-label={back.label} data-tip={back.label}>
              <Icon of={ChevronLeft} />
            </a>
          )}
          <h1 class={css.title}>{title}</h1>
          {tabs && <div class={css.tabs}>{tabs}</div>}
          {actions && <div class={css.actions}>{actions}</div>}
        </header>
      )}
      <div class={classNames(css.body, className)}>{children}</div>
      {foot && (
        <footer class={css.foot}>
          <div class={css.facts}>{foot.facts}</div>
          <div class={css.keys}>
            {foot.keys?.map(([keys, does]) => (
              <span key={keys} class={css.key}>
                <KeyHint keys={keys} />
                {does}
              </span>
            ))}
            <span class={css.key}>
              <KeyHint keys="?" />
              {shellText.allKeys}
            </span>
          </div>
        </footer>
      )}
    </div>
  )
}

interface PageProps {
  /** For the title of the window. */
  readonly name: string
  /** Words of the head; without them the view draws its own. */
  readonly title?: ComponentChildren
  readonly back?: { readonly href: string; readonly label: string } | undefined
  readonly tabs?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly foot?: PageFoot | undefined
  readonly class?: string | undefined
  readonly children?: ComponentChildren
}

/** The line below a view. */
interface PageFoot {
  /** Counts and the time taken. */
  readonly facts?: ComponentChildren
  /** The four or five keys of the view: `['J K', 'move']`. */
  readonly keys?: readonly (readonly [keys: string, does: string])[]
}
