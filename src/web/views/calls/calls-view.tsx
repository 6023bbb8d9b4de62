import { CallsPage } from '../traces/calls-page.tsx'

/** All calls of a project. */
export default function CallsView() {
  return <CallsPage rootsOnly={false} />
}
