import { returns } from '../api/outage.ts'
import { PartFailure } from '../components/states/lazy-part.tsx'
import { titleOf } from '../page/view-skeleton.tsx'
import { navigate } from '../state/location.ts'
import { placeOf } from '../state/place.ts'
import { dismiss, showToast } from '../state/toasts.ts'
import { partsText } from '../text/parts.ts'
import { shellText } from '../text/shell.ts'

/**
 * Says that a view could not be opened; the page stays as it is. A server that answers was upgraded
 * since the page was opened: the address is then loaded anew, with the scripts of today.
 */
export function openingFailed(failure: unknown, url: string): void {
  if (failure instanceof PartFailure && failure.isMissing) {
    location.assign(url)
    return
  }
  const title = titleOf(placeOf(new URL(url, location.href).pathname))
  const id = showToast({
    kind: 'error',
    text: shellText.notOpened(title),
    action: {
      label: partsText.tryAgain,
      run: () => {
        end()
        navigate(url)
      },
    },
  })
  const end = (): void => {
    stop()
    dismiss(id)
  }
  const count = returns.peek()
  // Once the server is back, a click will do.
  const stop = returns.subscribe((now) => now > count && end())
}
