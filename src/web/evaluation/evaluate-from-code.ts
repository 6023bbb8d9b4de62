import { lazyPart } from '../components/states/lazy-part.tsx'

/** The dialog with programs that evaluate a model which is not on the server. */
export const EvaluateFromCode = lazyPart(() => import('./code-dialog.tsx'), { loading: () => null })
