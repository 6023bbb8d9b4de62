import { type IconNode, SlidersHorizontal, SquareTerminal } from 'lucide'
import { shellText } from '../text/shell.ts'
import { settingsPath, sqlPath } from './paths.ts'
import { isOperator } from './session.ts'

/** An entry of the navigation that belongs to no project. */
interface ServerPage {
  readonly view: 'sql' | 'settings'
  readonly title: string
  readonly href: string
  readonly icon: IconNode
  /** Second key of its sequence: `g c`. */
  readonly key: string
}

/** Pages of the server that the session may open. */
export const serverPages = (): readonly ServerPage[] => {
  const sql: ServerPage = { view: 'sql', title: shellText.sql, href: sqlPath(), icon: SquareTerminal, key: 'c' }
  const settings: ServerPage = {
    view: 'settings',
    title: shellText.settings,
    href: settingsPath(''),
    icon: SlidersHorizontal,
    key: ',',
  }
  return isOperator.value ? [sql, settings] : [settings]
}
