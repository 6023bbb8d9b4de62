/** What a page of the guide does beside being read. It works without. */
import { addCopyButtons } from './copy.ts'
import { addHeadingLinks } from './heading-links.ts'
import { startMenu } from './menu.ts'
import { startSearch } from './search.ts'
import { startTheme } from './theme.ts'

document.documentElement.classList.add('has-scripts')
const { search, up } = document.querySelector<HTMLScriptElement>('script[data-search]')!.dataset
startMenu()
startTheme()
startSearch(search!, up!)
addCopyButtons()
addHeadingLinks()
