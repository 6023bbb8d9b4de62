import { lazyPart } from '../components/states/lazy-part.tsx'
import { LoadingRows } from '../components/states/loading-rows.tsx'

/** The view of JSON, for places that often show something else: its script comes when needed. */
export const LazyJsonView = lazyPart(async () => ({ default: (await import('./json-view.tsx')).JsonView }), {
  loading: () => <LoadingRows columns="40px 1fr" rows={6} height={20} />,
})
