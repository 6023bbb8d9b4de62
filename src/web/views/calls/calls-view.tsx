import { beginReading } from '../traces/begin-reading.ts'
import { CallsPage } from '../traces/calls-page.tsx'

beginReading(false)

/** All calls of a project. */
export default function CallsView() {
  return <CallsPage rootsOnly={false} />
}
