import { beginReading } from './begin-reading.ts'
import { CallsPage } from './calls-page.tsx'

beginReading(true)

/** Traces of a project. */
export default function TracesView() {
  return <CallsPage rootsOnly />
}
