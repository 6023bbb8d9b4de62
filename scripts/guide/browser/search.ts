import MiniSearch from 'minisearch'
import type { SearchedSection } from '../search-sections.ts'
import { excerpt } from './excerpt.ts'

type Find = (words: string) => readonly SearchedSection[]

const shownMax = 12

/**
 * Search over all sections, in the browser. The texts are loaded at the first use.
 *
 * @param textsUrl address of the sections
 * @param up path from this page to the root of the site
 */
export function startSearch(textsUrl: string, up: string): void {
  const box = document.querySelector<HTMLElement>('.search')!
  const input = box.querySelector('input')!
  const list = box.querySelector<HTMLElement>('.found')!
  let loading: Promise<Find> | undefined
  const load = (): Promise<Find> => {
    loading ??= loadSections(textsUrl)
    return loading
  }
  let selected = 0

  const close = (): void => {
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
  }
  const select = (index: number): void => {
    const options = [...list.querySelectorAll<HTMLElement>('[role=option]')]
    selected = Math.max(0, Math.min(index, options.length - 1))
    options.forEach((option, at) => {
      option.setAttribute('aria-selected', String(at === selected))
    })
    options[selected]?.scrollIntoView({ block: 'nearest' })
    if (options.length > 0) input.setAttribute('aria-activedescendant', options[selected]!.id)
  }
  const show = async (): Promise<void> => {
    const words = input.value.trim()
    if (words === '') return close()
    const find = await load()
    if (input.value.trim() !== words) return
    const found = find(words).slice(0, shownMax)
    list.replaceChildren(...(found.length === 0 ? [noneItem(words)] : found.map((one, at) => item(one, at, words, up))))
    list.hidden = false
    input.setAttribute('aria-expanded', 'true')
    select(0)
  }

  box.hidden = false
  input.addEventListener('focus', () => void load())
  input.addEventListener('input', () => void show())
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      close()
      input.blur()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      select(selected + (event.key === 'ArrowDown' ? 1 : -1))
    } else if (event.key === 'Enter') list.querySelectorAll<HTMLAnchorElement>('a')[selected]?.click()
  })
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !box.contains(target)) close()
    // A link to another part of this page leads nowhere else.
    else if (target instanceof Element && target.closest('a') !== null) close()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea')
    const isKey = event.key === '/' || (event.key === 'k' && (event.ctrlKey || event.metaKey))
    if (!isKey || isTyping) return
    event.preventDefault()
    input.focus()
  })
}

async function loadSections(url: string): Promise<Find> {
  const sections = (await (await fetch(url)).json()) as readonly SearchedSection[]
  const index = new MiniSearch({
    fields: ['heading', 'page', 'text'],
    searchOptions: {
      boost: { heading: 4, page: 2 },
      prefix: true,
      combineWith: 'AND',
      fuzzy: (word: string) => (word.length > 5 ? 0.15 : false),
    },
  })
  index.addAll(sections.map((section, id) => ({ id, ...section })))
  return (words) => index.search(words).map(({ id }) => sections[id as number]!)
}

function item(section: SearchedSection, index: number, words: string, up: string): HTMLElement {
  const [option, link, title, text] = [element('li'), element('a'), element('b'), element('small')]
  option.id = `found-${index}`
  option.setAttribute('role', 'option')
  link.setAttribute('href', `${up}${section.href}` || './')
  link.setAttribute('tabindex', '-1')
  title.textContent = section.heading === '' ? section.page : `${section.page} › ${section.heading}`
  text.append(...excerpt(section.text, words))
  link.append(title, text)
  option.append(link)
  return option
}

function noneItem(words: string): HTMLElement {
  const none = element('li')
  none.className = 'none'
  none.textContent = `Nothing about “${words}”`
  return none
}

const element = (name: string): HTMLElement => document.createElement(name)
