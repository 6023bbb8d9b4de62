import { useKeys } from '../state/keys.ts'
import { navigate } from '../state/location.ts'
import { keysShown, palette } from '../state/palette.ts'
import { homePath, settingsPath, viewPath } from '../state/paths.ts'
import { sections } from '../state/sections.ts'
import { shellText } from '../text/shell.ts'

/** Keys that work on every page. */
export function useShellKeys(projectId: string | undefined): void {
  useKeys([
    {
      keys: '$mod+k',
      does: shellText.search,
      everywhere: true,
      run: () => {
        palette.value = palette.peek() ? undefined : 'everything'
      },
    },
    {
      keys: 'Shift+?',
      does: shellText.help,
      run: () => {
        keysShown.value = true
      },
    },
    { keys: 'g p', does: shellText.allProjects, run: () => navigate(homePath) },
    { keys: 'g ,', does: shellText.settings, run: () => navigate(settingsPath('')) },
    ...(projectId === undefined ? [] : sections.flat()).map(({ view, key }) => ({
      keys: `g ${key}`,
      does: shellText.views[view],
      run: () => navigate(viewPath(projectId ?? '', view)),
    })),
  ])
}
