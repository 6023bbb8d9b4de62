import { lazyPart } from '../components/states/lazy-part.tsx'

/** The dialog that starts evaluation runs. Show it to keys that may write only. */
export const StartEvaluation = lazyPart(() => import('./start-dialog.tsx'), { loading: () => null })
