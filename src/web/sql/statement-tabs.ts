import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { itemAt } from '../../lib/present.ts'
import { sqlPath } from '../state/paths.ts'
import { remember, remembered } from '../state/preferences.ts'
import { offerUndo } from '../state/toasts.ts'
import { sqlText } from '../text/sql.ts'
import { rememberStatement } from './history.ts'

/** A named statement of the console, kept in this browser. */
interface StatementTab {
  readonly id: string
  readonly label: string
  readonly statement: string
}

const name = 'sql tabs'
const lastName = 'sql tab'
const writeAfterMs = 300

/** Most tabs that a browser keeps. */
export const tabsMax = 30

const isTab = (value: unknown): value is StatementTab =>
  typeof value === 'object' && value !== null && 'id' in value && 'label' in value && 'statement' in value

const isTabs = (value: unknown): value is readonly StatementTab[] =>
  Array.isArray(value) && value.length > 0 && value.every(isTab)

/** As stored now: other windows of this browser change them too. */
const stored = (): readonly StatementTab[] =>
  remembered(name, isTabs) ?? [{ id: '1', label: sqlText.tabs.unnamed(1), statement: '' }]

const store = (tabs: readonly StatementTab[]): void => remember(name, tabs)

const isText = (value: unknown): value is string => typeof value === 'string'

function newTab(statement: string, tabs: readonly StatementTab[]): StatementTab {
  const numbers = tabs.map(({ id }) => Number(id)).filter(Number.isFinite)
  const labels = new Set(tabs.map(({ label }) => label))
  let number = tabs.length + 1
  while (labels.has(sqlText.tabs.unnamed(number))) number++
  return { id: String(Math.max(0, ...numbers) + 1), label: sqlText.tabs.unnamed(number), statement }
}

/** Stores a new tab. Where there are too many, the last one takes the statement. */
function addTab(statement: string): StatementTab {
  const tabs = stored()
  if (tabs.length < tabsMax) {
    const tab = newTab(statement, tabs)
    store([...tabs, tab])
    return tab
  }
  const last = itemAt(tabs, tabs.length - 1)
  rememberStatement(last.statement)
  const tab = { ...last, statement }
  store([...tabs.slice(0, -1), tab])
  return tab
}

/** The tab for a statement of an address: one that has it, an empty one, or a new one. */
function tabFor(statement: string | undefined, current: StatementTab | undefined): StatementTab {
  const tabs = stored()
  const shown = current ?? tabs.find(({ id }) => id === remembered(lastName, isText)) ?? itemAt(tabs, 0)
  if (statement === undefined || shown.statement === statement) return shown
  const same = tabs.find((tab) => tab.statement === statement)
  if (same) return same
  if (shown.statement.trim() !== '') return addTab(statement)
  const filled = { ...shown, statement }
  store(tabs.map((tab) => (tab.id === filled.id ? filled : tab)))
  return filled
}

/** The tabs of the console, the current one, and the actions on them. */
export interface StatementTabs {
  readonly tabs: readonly StatementTab[]
  readonly current: StatementTab
  readonly type: (statement: string) => void
  readonly select: (id: string) => void
  readonly add: () => void
  readonly rename: (label: string) => void
  /** Takes the current tab away, which can be undone. */
  readonly close: () => void
}

/**
 * Keeps statements of the console in tabs. What somebody types is stored a moment later, and when
 * the page goes; the address always has the statement that is shown.
 */
export function useStatementTabs(): StatementTabs {
  const [current, setCurrent] = useState<StatementTab>(() => tabFor(statementOfAddress(), undefined))
  const unwritten = useRef<StatementTab | undefined>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const write = (): void => {
    clearTimeout(timer.current)
    const tab = unwritten.current
    unwritten.current = undefined
    if (tab) store(stored().map((each) => (each.id === tab.id ? tab : each)))
  }
  const show = (tab: StatementTab): void => {
    write()
    remember(lastName, tab.id)
    setCurrent(tab)
  }
  // With the change itself: a reload right after it would show the tab before.
  useLayoutEffect(() => writeStatement(current.statement), [current.statement])
  useEffect(() => {
    const follow = () => {
      write()
      show(tabFor(statementOfAddress() ?? '', current))
    }
    addEventListener('hashchange', follow)
    addEventListener('pagehide', write)
    return () => {
      removeEventListener('hashchange', follow)
      removeEventListener('pagehide', write)
    }
  }, [current])
  useEffect(() => write, [])
  return {
    tabs: stored().map((tab) => (tab.id === current.id ? current : tab)),
    current,
    type(statement) {
      const tab = { ...current, statement }
      setCurrent(tab)
      unwritten.current = tab
      clearTimeout(timer.current)
      timer.current = setTimeout(write, writeAfterMs)
    },
    select(id) {
      write()
      const tab = stored().find((each) => each.id === id)
      if (tab) show(tab)
    },
    add() {
      write()
      show(addTab(''))
    },
    rename(label) {
      const tab = { ...current, label }
      unwritten.current = tab
      show(tab)
    },
    close() {
      write()
      const tabs = stored()
      const at = tabs.findIndex(({ id }) => id === current.id)
      const others = tabs.filter(({ id }) => id !== current.id)
      if (others.length === 0) store([newTab('', [])])
      else store(others)
      show(stored()[Math.min(at, others.length - 1)] ?? itemAt(stored(), 0))
      offerUndo({
        text: sqlText.tabs.closed(current.label),
        undo: () => {
          write()
          const now = stored().filter(({ id, statement }) => others.length > 0 || id === current.id || statement !== '')
          store(now.some(({ id }) => id === current.id) ? now : now.toSpliced(at, 0, current))
          show(current)
        },
      })
    },
  }
}

/** The statement in the fragment of the address. */
const statementOfAddress = (): string | undefined => new URLSearchParams(location.hash.slice(1)).get('q') ?? undefined

/** Keeps the statement in the fragment, which no server sees. */
function writeStatement(statement: string): void {
  if (statement === (statementOfAddress() ?? '')) return
  history.replaceState(history.state, '', sqlPath(statement.trim() === '' ? undefined : statement))
}
